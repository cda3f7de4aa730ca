/**
 * The form of an on-chain address for comparisons and look-ups: hexadecimal ones in lower case, others (base58, bech32)
 * unchanged. Addresses are shown and sent as they were written.
 */
export const comparableAddress = (address: string): string =>
  /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address
