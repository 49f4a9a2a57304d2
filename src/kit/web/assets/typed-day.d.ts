export function readDay(text: string): string | null;
