/** The life of an access token (decisions, Passwords, tokens). */
export const accessTokenSeconds = 15 * 60
export const accessTokenMs = accessTokenSeconds * 1000
