/** Tokens that stand in a path set a password: whoever reads the log must not be able to. */
const tokens = /\/((?:change|reset)-password)\/[^/?\s]+/g

/** A text that names a path, without the tokens in it. */
export const withoutTokens = (text: string): string => text.replace(tokens, '/$1/********')
