/**
 * The library instantiates `DOMMatrix` when it is loaded, which Node lacks. It is only used for
 * drawing, so an empty class is enough.
 */
Object.assign(globalThis, { DOMMatrix: class {} });
