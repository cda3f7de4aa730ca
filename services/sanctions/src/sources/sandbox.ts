import type { Source } from './source'

/** For integration tests: an address that ends in 9999 is sanctioned (decisions, Screening sources). */
export const sandboxSource: Source = {
  provider: 'sandbox',
  isHere: true,
  covers: () => true,
  ask: async (address) => ({
    match: address.endsWith('9999'),
    details: { rule: 'In the sandbox an address that ends in 9999 is sanctioned' },
  }),
}
