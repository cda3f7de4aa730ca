import type { AddressResult, ScreeningSource } from '@bursar/contracts/sanctions'
import { bareAddress, screeningKey } from '../addresses/screening-key'
import type { SanctionsDeps } from '../deps'
import { askList } from '../sources/ask-list'
import type { ScreenedAddress } from '../watch/watch'
import type { AddressToVerify } from './screening.model'

/** The dependencies of a screening. */
export type ScreeningDeps = Pick<SanctionsDeps, 'store' | 'list' | 'sources' | 'now'>

/** Whether all sources that are asked about an address are here: then a commit may screen it. */
export const isScreenedHere = ({ sources }: Pick<ScreeningDeps, 'sources'>, address: string): boolean =>
  sources.every((source) => source.isHere || !source.covers(address))

export interface AddressScreening {
  result: AddressResult
  screened: ScreenedAddress[]
}

/** Queries every source for an address. Rejects (503) when one of them cannot be reached. */
export async function screenAddress(deps: ScreeningDeps, address: AddressToVerify): Promise<AddressScreening> {
  const [screening] = await screenAddresses(deps, [address])
  return screening as AddressScreening
}

/** The same for several, in their order. */
export async function screenAddresses(
  deps: ScreeningDeps,
  items: readonly AddressToVerify[],
): Promise<AddressScreening[]> {
  const asked = await Promise.all(
    items.map(async ({ address: written, blockchain }) => {
      const address = written.trim()
      const bare = bareAddress(address)
      const others = deps.sources.filter((source) => source.covers(bare))
      const answers = await Promise.all(
        others.map(async (source) => ({ provider: source.provider, ...(await source.ask(bare)) })),
      )
      return { address, blockchain, key: screeningKey(address), answers }
    }),
  )
  // Last: the list cannot change before the results are used, because nothing is awaited in between.
  const { listId, sources } = await askList(deps, asked)
  const checkedAt = deps.now().toISOString()
  return asked.map(({ address, blockchain, key, answers }) => {
    const list = sources.get(key) as ScreeningSource
    const all = [list, ...answers]
    return {
      result: { address, blockchain, sanctioned: all.some(({ match }) => match), sources: all, checkedAt },
      screened: [{ key, address, blockchain, listId, listed: list.match }],
    }
  })
}
