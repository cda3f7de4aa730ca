export type Environment = Record<string, string | undefined>

/** A setting that cannot be used; its message names the variable and says what it takes. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}
