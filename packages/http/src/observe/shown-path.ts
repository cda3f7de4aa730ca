/** Tokens in a path that set a password: readers of the log must not see them. */
const tokens = /\/((?:change|reset)-password)\/[^/?\s]+/g

/** A text that contains a path, without its tokens. */
export const withoutTokens = (text: string): string => text.replace(tokens, '/$1/********')
