export function writeScanCode(): Promise<void>;
export function compileScan(source?: string): Promise<string>;
