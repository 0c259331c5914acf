/**
 * The library makes a matrix for drawing as soon as it is loaded, which Node has none for. Nothing
 * is ever drawn here, so the name is enough.
 */
Object.assign(globalThis, { DOMMatrix: class {} });
