import { isDocsSiteFolder } from "../repo/folder-roles.ts";
import type { LocatedManifest, RepoModel } from "../repo/repo-model.ts";

/** Frameworks by their package: what an application is built on, not what it merely uses. */
const byDependency: Record<string, Record<string, string>> = {
  javascript: {
    "@angular/core": "angular",
    "@nestjs/core": "nestjs",
    "@hapi/hapi": "hapi",
    "@remix-run/react": "remix",
    "@sveltejs/kit": "sveltekit",
    astro: "astro",
    electron: "electron",
    "ember-source": "ember",
    expo: "expo",
    express: "express",
    fastify: "fastify",
    gatsby: "gatsby",
    hono: "hono",
    koa: "koa",
    lit: "lit",
    next: "next",
    nuxt: "nuxt",
    preact: "preact",
    react: "react",
    "react-native": "react-native",
    "solid-js": "solid",
    svelte: "svelte",
    "@tauri-apps/api": "tauri",
    vue: "vue",
  },
  python: {
    aiohttp: "aiohttp",
    bottle: "bottle",
    django: "django",
    fastapi: "fastapi",
    flask: "flask",
    litestar: "litestar",
    pyramid: "pyramid",
    sanic: "sanic",
    starlette: "starlette",
    streamlit: "streamlit",
    tornado: "tornado",
  },
  ruby: { hanami: "hanami", rails: "rails", sinatra: "sinatra" },
  php: {
    "cakephp/cakephp": "cakephp",
    "codeigniter4/framework": "codeigniter",
    "laravel/framework": "laravel",
    "slim/slim": "slim",
    "symfony/framework-bundle": "symfony",
    "yiisoft/yii2": "yii",
  },
  go: {
    "github.com/beego/beego/v2": "beego",
    "github.com/gin-gonic/gin": "gin",
    "github.com/go-chi/chi/v5": "chi",
    "github.com/gofiber/fiber/v2": "fiber",
    "github.com/gofiber/fiber/v3": "fiber",
    "github.com/labstack/echo/v4": "echo",
    "github.com/labstack/echo/v5": "echo",
  },
  rust: {
    "actix-web": "actix-web",
    axum: "axum",
    bevy: "bevy",
    dioxus: "dioxus",
    leptos: "leptos",
    rocket: "rocket",
    tauri: "tauri",
    warp: "warp",
    yew: "yew",
  },
  java: {
    "dropwizard-core": "dropwizard",
    "ktor-server-core": "ktor",
    "micronaut-http-server-netty": "micronaut",
    "quarkus-core": "quarkus",
    "quarkus-rest": "quarkus",
    "quarkus-resteasy": "quarkus",
    "spring-boot-starter": "spring boot",
    "spring-boot-starter-web": "spring boot",
    "spring-boot-starter-webflux": "spring boot",
    "vertx-core": "vert.x",
  },
  scala: { "akka-actor": "akka", play: "play", "zio-http": "zio" },
  dotnet: { "Microsoft.AspNetCore.App": "asp.net core", Avalonia: "avalonia" },
  elixir: { phoenix: "phoenix", nerves: "nerves" },
  dart: { flutter: "flutter" },
  swift: { vapor: "vapor", hummingbird: "hummingbird" },
};

/** Frameworks by a parent, plugin or SDK in a manifest. */
const byTool: readonly [string, RegExp][] = [
  [
    "spring boot",
    /^(spring-boot-starter-parent|spring-boot-maven-plugin|org\.springframework\.boot|spring-boot)$/,
  ],
  ["quarkus", /^(io\.quarkus|quarkus-maven-plugin)$/],
  ["micronaut", /^io\.micronaut\.application$/],
  ["android", /^com\.android\.(application|library)$|(^|-)android-(application|library)$/],
  ["asp.net core", /^Microsoft\.NET\.Sdk\.Web$/],
  ["blazor", /^Microsoft\.NET\.Sdk\.BlazorWebAssembly$/],
  ["maui", /^UseMaui$/],
  ["wpf", /^UseWPF$/],
  ["play", /^com\.typesafe\.play$/],
];

/**
 * Frameworks that applications declare as development dependencies; their configuration file
 * confirms them.
 */
const byConfigFile: readonly [string, RegExp][] = [
  ["angular", /^angular\.json$/],
  ["astro", /^astro\.config\.[cm]?[jt]s$/],
  ["next", /^next\.config\.[cm]?[jt]s$/],
  ["nuxt", /^nuxt\.config\.[cm]?[jt]s$/],
  ["svelte", /^svelte\.config\.[cm]?[jt]s$/],
];

export function detectFrameworks(model: RepoModel): string[] {
  const { projectManifests, ownFiles } = model;
  const productManifests = projectManifests.filter((located) => !isDocsManifest(located));
  const ownNames = new Set(model.manifests.flatMap(({ manifest }) => manifest?.name ?? []));
  const configFiles = new Set(
    ownFiles.map(({ path }) => path).filter((path) => /config|angular/.test(path)),
  );
  const frameworks = new Set<string>();
  for (const { manifest, kind, folder } of productManifests) {
    if (!manifest) continue;
    const table = byDependency[kind.ecosystem] ?? {};
    const frameworkOf = (name: string): string | undefined =>
      Object.hasOwn(table, name) && !ownNames.has(name) ? table[name] : undefined;
    for (const name of [...manifest.dependencies, ...manifest.peers]) {
      const framework = frameworkOf(name);
      if (framework) frameworks.add(framework);
    }
    for (const name of manifest.devDependencies) {
      const framework = frameworkOf(name);
      if (framework && hasConfigFile(framework, folder, configFiles)) frameworks.add(framework);
    }
    for (const tool of manifest.tools) {
      const framework = byTool.find(([, pattern]) => pattern.test(tool))?.[0];
      if (framework && !ownNames.has(framework)) frameworks.add(framework);
    }
  }
  return [...frameworks].sort();
}

/** Excludes the project's website: its framework is not the project's. */
const isDocsManifest = ({ folder, manifest }: LocatedManifest): boolean =>
  isDocsSiteFolder(folder) ||
  ["@docusaurus/core", "vitepress", "@astrojs/starlight", "nextra"].some((name) =>
    manifest?.dependencies.includes(name),
  );

function hasConfigFile(
  framework: string,
  folder: string,
  configFiles: ReadonlySet<string>,
): boolean {
  const pattern = byConfigFile.find(([name]) => framework.startsWith(name))?.[1];
  if (!pattern) return false;
  const start = folder === "" ? "" : `${folder}/`;
  return [...configFiles].some(
    (path) => path.startsWith(start) && pattern.test(path.slice(start.length)),
  );
}
