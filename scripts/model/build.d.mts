export function buildModels(
  folder: string,
  options?: { packages?: string; cache?: string },
): Promise<string[]>;
export function makeEmbedder(source?: string): Record<string, Buffer> | undefined;
