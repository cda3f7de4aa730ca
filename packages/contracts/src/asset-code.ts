/**
 * An asset's code as codes are compared. Only ASCII letters have a case in them: the long s in `uſdc` is another letter, of
 * which `toUpperCase` would make USDC.
 */
export const comparableCode = (code: string): string => code.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
