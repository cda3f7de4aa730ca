import type { AddressResult } from '@bursar/contracts/sanctions'
import { screeningKey } from '../addresses/screening-key'
import type { SanctionsDeps } from '../deps'
import { askList } from '../sources/ask-list'
import type { ScreenedAddress } from '../watch/watch'
import type { AddressToVerify } from './screening.model'

/** The dependencies of a screening. */
export type ScreeningDeps = Pick<SanctionsDeps, 'store' | 'list' | 'sources' | 'now'>

/** Queries every source for an address. Rejects (503) when one of them cannot be reached. */
export async function screenAddress(
  deps: ScreeningDeps,
  { address: written, blockchain }: AddressToVerify,
): Promise<{ result: AddressResult; screened: ScreenedAddress[] }> {
  const address = written.trim()
  const key = screeningKey(address)
  const others = deps.sources.filter((source) => source.covers(address))
  const answers = await Promise.all(
    others.map(async (source) => ({ provider: source.provider, ...(await source.ask(address)) })),
  )
  // Last: the list cannot change before the result is used, because nothing is awaited in between.
  const { listId, source } = await askList(deps, deps.store.read, key)
  const sources = [source, ...answers]
  return {
    result: {
      address,
      blockchain,
      sanctioned: sources.some(({ match }) => match),
      sources,
      checkedAt: deps.now().toISOString(),
    },
    screened: [{ key, address, blockchain, listId, listed: source.match }],
  }
}
