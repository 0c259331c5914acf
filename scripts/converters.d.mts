export function buildConverters(folder: string): Promise<string[]>;
