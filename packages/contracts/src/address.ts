/**
 * An on-chain address as all services compare it: hexadecimal ones without regard to case, all others (base58, bech32)
 * to the letter. For looking up; what is shown and sent stays as it was written.
 */
export const comparableAddress = (address: string): string =>
  /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address
