/** The bundler replaces imports of style sheets. */
declare module "*.css";
