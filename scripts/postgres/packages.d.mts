export const user: number;
export function whyNotInstallable(): string | undefined;
export function installPostgres(): string;
