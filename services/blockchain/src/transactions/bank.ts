import { invalid } from '../errors'

/**
 * An IBAN (ISO 13616) without spaces, in upper case. Fails (400) for an invalid form, or a wrong check sum: the
 * number with its first four characters at the end, letters as 10 to 35, leaves 1 when divided by 97.
 */
export function ibanField(text: string): string {
  const iban = text.replaceAll(' ', '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban))
    throw invalid('iban', 'must be an IBAN such as DE89370400440532013000')
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((character) => Number.parseInt(character, 36)).join('')
  if (BigInt(digits) % 97n !== 1n) throw invalid('iban', 'has a wrong check sum')
  return iban
}

/** A BIC (ISO 9362) in upper case: 8 characters, or 11 with the branch. Fails (400) for anything else. */
export function swiftField(text: string): string {
  const bic = text.toUpperCase()
  if (/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic)) return bic
  throw invalid('swift', 'must be a BIC of 8 or 11 characters such as COBADEFF')
}
