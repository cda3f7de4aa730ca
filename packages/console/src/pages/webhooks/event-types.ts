/** The distinct event types in an input, separated by commas, spaces or lines. */
export const eventTypesOf = (typed: string): string[] => [...new Set(typed.split(/[\s,;]+/).filter(Boolean))]
