export type FailureKind =
  | 'unknown-symbol'
  | 'rate-limited'
  | 'bad-credential'
  | 'unavailable'
  | 'invalid-answer'
  | 'bad-config'
  | 'no-adapter'
  | 'timeout'

/**
 * A provider gave no usable price. The message is in the `details` of the 503, so it is in our own words: text that
 * a provider wrote, URLs and headers never appear in it.
 */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'

  constructor(
    readonly kind: FailureKind,
    message: string,
  ) {
    super(message)
  }
}

/** The provider has no price for this code. When this holds for all providers, the asset itself is unknown. */
export const unknownSymbol = (code: string) =>
  new ProviderFailure('unknown-symbol', `does not know the asset ${code.slice(0, 40)}`)
/** `until` is given when the provider was not called because it is cooling down. */
export const rateLimited = (until?: Date) =>
  new ProviderFailure(
    'rate-limited',
    until ? `its rate limit is exceeded; it is not asked before ${until.toISOString()}` : 'its rate limit is exceeded',
  )
export const badCredential = (why = 'refused the credential') => new ProviderFailure('bad-credential', why)
/** `what` completes the sentence "the provider answered …". */
export const invalidAnswer = (what: string) => new ProviderFailure('invalid-answer', `answered ${what}`)
export const unavailable = (why: string) => new ProviderFailure('unavailable', why)
