import { expect, test } from "vitest";
import { childSource } from "../../../../tests/child-source.ts";
import type { GrammarName } from "./grammars.ts";
import { createSymbolReader, type SymbolReader } from "./symbol-reader.ts";

const program = childSource('import "./src/shelves/repository/symbols/parser-process.ts";');
const reader = createSymbolReader({ program });

/** `kind name: signature`, with a star if the symbol has a doc comment. */
async function symbolsOf(grammar: GrammarName, text: string, from: SymbolReader = reader) {
  const outcome = await from.read({ grammar, text });
  if ("problem" in outcome) return outcome.problem;
  return outcome.symbols.map(
    ({ kind, name, signature, documented, line }) =>
      `${line} ${kind} ${name}${documented ? "*" : ""}: ${signature.replaceAll("\n", " | ")}`,
  );
}

test("[repository.symbols.ecma] a module's exports are its symbols, in every export syntax", async () => {
  expect(
    await symbolsOf(
      "typescript",
      `/** Opens. */
export function open(
  path: string, // where
  mode = "r",
): Promise<File> { return hidden(); }
function hidden() {}
export const limit: number = 10, twice = (n: number): number => n * 2;
export abstract class Reader<T> extends Base implements Closable {
  constructor(private readonly file: File) {}
  /** Reads. */
  @logged() async read(count?: number): Promise<T> {}
  private secret() {}
  #own = 1;
  size = 0;
}
export interface Options { limit?: number; on(event: string): void }
export type Mode = "r" | "w";
export enum Colour { Red, Green }
export namespace Paths { export function join(...parts: string[]): string {} function no() {} }
class Later {}
export { Later as Sooner, hidden as default };
export function over(a: string): void;
export function over(a: number): void;
`,
    ),
  ).toEqual([
    '2 function open*: function open(path: string, mode = "r"): Promise<File>',
    "6 function hidden: function hidden()",
    "7 constant limit: limit: number",
    "7 function twice: twice = (n: number): number",
    "8 class Reader: abstract class Reader<T> extends Base implements Closable | constructor(private readonly file: File)",
    "11 method Reader.read*: async read(count?: number): Promise<T>",
    "14 property Reader.size: size",
    "16 interface Options: interface Options",
    "16 property Options.limit: limit?: number",
    "16 method Options.on: on(event: string): void",
    '17 type Mode: type Mode = "r" | "w"',
    "18 enum Colour: enum Colour { Red, Green }",
    "19 function Paths.join: function join(...parts: string[]): string",
    "20 class Sooner: class Later",
    "22 function over: function over(a: string): void | function over(a: number): void",
  ]);
  expect(
    await symbolsOf(
      "javascript",
      "function one(a, b = 2) {}\nfunction two() {}\nexports.three = function (x) { return x };\nmodule.exports = { one, second: two };\n",
    ),
  ).toEqual([
    "1 function one: function one(a, b = 2)",
    "2 function second: function two()",
    "3 function three: exports.three = function (x)",
  ]);
  expect(
    await symbolsOf("tsx", "export function Lamp({ lit }: Props) { return <b>{lit}</b>; }\n"),
  ).toEqual(["1 function Lamp: function Lamp({ lit }: Props)"]);
});

test("[repository.symbols.python] Python symbols are those in __all__, or without a leading underscore", async () => {
  const module = `"""A module."""
LIMIT = 3
lower = 4
def open(path, *, mode="r") -> int:
    """Opens."""
@decorated(1)
async def later(): pass
def _hidden(): pass
class Reader(Base):
    """Reads."""
    size: int = 0
    def __init__(self, file): pass
    def read(self, count=None): pass
    @property
    def name(self): return ""
    def _own(self): pass
if True:
    def branch(): pass
`;
  expect(await symbolsOf("python", module)).toEqual([
    "2 constant LIMIT: LIMIT",
    '4 function open*: def open(path, *, mode="r") -> int',
    "7 function later: async def later()",
    "9 class Reader*: class Reader(Base) | def __init__(self, file)",
    "11 property Reader.size: size: int",
    "13 method Reader.read: def read(self, count=None)",
    "15 property Reader.name: def name(self)",
    "18 function branch: def branch()",
  ]);
  expect(
    await symbolsOf("python", `__all__ = ["_odd", "lower"]\n${module}def _odd(): pass\n`),
  ).toEqual(["4 constant lower: lower", "20 function _odd: def _odd()"]);
});

test("[repository.symbols.languages] visibility follows the rules of each language", async () => {
  expect(
    await symbolsOf(
      "go",
      `package lamp

// Open opens.
func Open(path string) (*Lamp, error) { return nil, nil }
func hidden() {}
func (l *Lamp) Light(on bool) error { return nil }
func (l *small) Light() {}
// Lamp shines.
type Lamp struct {
	Name string \`json:"name"\`
	own  int
}
type Keeper interface {
	Keep(lamp *Lamp) error
}
type Kind int
const (
	// Red is red.
	Red Kind = iota
	green
)
var Default = 1
`,
    ),
  ).toEqual([
    "4 function Open*: func Open(path string) (*Lamp, error)",
    "6 method Lamp.Light: func (l *Lamp) Light(on bool) error",
    "9 struct Lamp*: Lamp struct",
    "10 property Lamp.Name: Name string",
    "13 interface Keeper: Keeper interface",
    "14 method Keeper.Keep: Keep(lamp *Lamp) error",
    "16 type Kind: Kind int",
    "19 constant Red*: Red Kind",
    "22 constant Default: Default",
  ]);
  expect(await symbolsOf("go", "package main\nfunc Open() {}\n")).toEqual([]);
  expect(
    await symbolsOf(
      "rust",
      `/// Opens.
#[must_use]
pub fn open<T: Read>(path: &str) -> Result<T> where T: Send { todo!() }
pub(crate) fn inner() {}
pub struct Lamp { pub name: String, own: u8 }
pub enum Kind { Red, Green(u8) }
pub trait Keeper { fn keep(&self, lamp: &Lamp); }
impl Lamp { pub fn light(&mut self, on: bool) {} fn own(&self) {} }
impl Keeper for Lamp { fn keep(&self, lamp: &Lamp) {} }
pub mod deep { pub const LIMIT: u8 = 3; const OWN: u8 = 1; }
`,
    ),
  ).toEqual([
    "3 function open*: pub fn open<T: Read>(path: &str) -> Result<T> where T: Send",
    "5 struct Lamp: pub struct Lamp",
    "5 property Lamp::name: pub name: String",
    "6 enum Kind: pub enum Kind { Red, Green(u8) }",
    "7 interface Keeper: pub trait Keeper",
    "7 method Keeper::keep: fn keep(&self, lamp: &Lamp)",
    "8 method Lamp::light: pub fn light(&mut self, on: bool)",
    "10 constant LIMIT: pub const LIMIT: u8",
  ]);
  expect(
    await symbolsOf(
      "java",
      `package lamp;
/** Shines. */
@Deprecated
public final class Lamp<T> extends Thing {
  public static final int LIMIT = 3;
  public Lamp(String name) {}
  /** Lights. */
  @Override public void light(boolean on) throws Broken {}
  void own() {}
  public interface Keeper { void keep(Lamp lamp); }
}
class Hidden {}
`,
    ),
  ).toEqual([
    "4 class Lamp*: public final class Lamp<T> extends Thing | public Lamp(String name)",
    "5 property Lamp.LIMIT: public static final int LIMIT",
    "8 method Lamp.light*: public void light(boolean on) throws Broken",
    "10 interface Lamp.Keeper: public interface Keeper",
    "10 method Lamp.Keeper.keep: void keep(Lamp lamp)",
  ]);
  expect(
    await symbolsOf(
      "c-sharp",
      `namespace Light;
/// <summary>Shines.</summary>
[Serializable]
public class Lamp : Thing {
  public Lamp(string name) {}
  public string Name { get; set; }
  public void Light(bool on = true) {}
  internal void Own() {}
}
public enum Kind { Red, Green }
public interface IKeeper { void Keep(Lamp lamp); }
class Hidden {}
`,
    ),
  ).toEqual([
    "4 class Lamp*: public class Lamp : Thing | public Lamp(string name)",
    "6 property Lamp.Name: public string Name",
    "7 method Lamp.Light: public void Light(bool on = true)",
    "10 enum Kind: public enum Kind { Red, Green }",
    "11 interface IKeeper: public interface IKeeper",
    "11 method IKeeper.Keep: void Keep(Lamp lamp)",
  ]);
  expect(
    await symbolsOf(
      "php",
      `<?php
namespace Light;
/** Opens. */
function open(string $path, $mode = "r"): ?Lamp {}
class Lamp extends Thing {
  const LIMIT = 3;
  public string $name = "";
  public function __construct(private string $own) {}
  public function light(bool $on): void {}
  protected function own() {}
}
`,
    ),
  ).toEqual([
    '4 function open*: function open(string $path, $mode = "r"): ?Lamp',
    "5 class Lamp: class Lamp extends Thing | public function __construct(private string $own)",
    "6 property Lamp::LIMIT: const LIMIT",
    "7 property Lamp::name: public string $name",
    "9 method Lamp::light: public function light(bool $on): void",
  ]);
  expect(
    await symbolsOf(
      "ruby",
      `module Light
  LIMIT = 3
  # Shines.
  class Lamp < Thing
    attr_reader :name
    def initialize(name) = @name = name
    def light!(on, colour: :red)
      on
    end
    def self.open(path)
      path
    end
    private
    def own; end
  end
end
`,
    ),
  ).toEqual([
    "1 module Light: module Light",
    "2 constant Light::LIMIT: LIMIT",
    "4 class Light::Lamp*: class Lamp < Thing | def initialize(name)",
    "5 property Light::Lamp#name: attr_reader :name",
    "7 method Light::Lamp#light!: def light!(on, colour: :red)",
    "10 method Light::Lamp#open: def self.open(path)",
  ]);
  expect(
    await symbolsOf(
      "cpp",
      `#ifndef LAMP_H
#define LAMP_H
namespace light {
/// Opens.
Lamp* open(const char* path, int mode = 0);
template <typename T> T twice(T value) { return value; }
class Lamp : public Thing {
  int own;
public:
  explicit Lamp(std::string name);
  void light(bool on) const;
  int size;
};
enum class Kind { Red, Green };
}
#endif
`,
    ),
  ).toEqual([
    "5 function open*: Lamp* open(const char* path, int mode = 0)",
    "6 function twice: T twice(T value)",
    "7 class Lamp: class Lamp : public Thing | explicit Lamp(std::string name)",
    "11 method Lamp::light: void light(bool on) const",
    "12 property Lamp::size: int size",
    "14 enum Kind: enum class Kind { Red, Green }",
  ]);
  expect(
    await symbolsOf("bash", "#!/bin/sh\n# Opens.\nopen() {\n  echo\n}\n_own() { :; }\n"),
  ).toEqual(["3 function open*: open()"]);
});

test("[repository.symbols.damaged] a file that is not code, or truncated, is parsed as far as possible", async () => {
  expect(
    await symbolsOf("typescript", "export function a() {\nexport const = ;\n}}}} @@@"),
  ).toContain("1 function a: function a()");
  expect(await symbolsOf("python", "\u0000\u0001 )))((( def x(:")).toBeInstanceOf(Array);
  expect(await symbolsOf("rust", "")).toEqual([]);
});

test("[repository.symbols.hostile] a file on which the parser hangs is skipped", async () => {
  const slow = createSymbolReader({ program, deadlineMs: 1 });
  expect(await symbolsOf("typescript", "export const a = 1;", slow)).toBe(
    "it takes too long to parse",
  );
  const deep = `export const a = ${"[".repeat(200_000)};\nexport const b = 1;`;
  await symbolsOf("javascript", deep);
  expect(await symbolsOf("javascript", "export const fine = 1;")).toEqual([
    "1 constant fine: fine",
  ]);
  const many = createSymbolReader({ program: childSource("process.exit(3);") });
  expect(await symbolsOf("javascript", "export const a = 1;", many)).toBe("parsing it crashed");
});
