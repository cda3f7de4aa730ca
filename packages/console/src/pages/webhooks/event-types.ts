/** Event types as they were typed, each once: separated by commas, spaces or lines. */
export const eventTypesOf = (typed: string): string[] => [...new Set(typed.split(/[\s,;]+/).filter(Boolean))]
