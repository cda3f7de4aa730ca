/**
 * Tokens in a path that set a password: readers of the log must not see them. The gateway folds `//`, `/./` and `\`, so a
 * path with those passes as well.
 */
const tokens = /((?:change|reset)-password)(?:[/\\]|%2e|\.)+[^/\\?\s]+/gi

/** A text that contains a path, without its tokens. */
export const withoutTokens = (text: string): string => text.replace(tokens, '$1/********')
