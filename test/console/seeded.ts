import { serviceConfig } from '@bursar/http'
import { type SeededIds, seed } from '../../scripts/seed/seed'
import type { ConsoleStack } from './stack'

/** Fills the platform with the records of the seed; their ids. */
export const seedOf = ({ platform }: ConsoleStack): Promise<SeededIds> =>
  seed({ urls: serviceConfig(platform.env, 'quote').urls, say: () => {} })

/** The same, and one unit of the seeded asset is worth a dollar. */
export async function ratedSeedOf(stack: ConsoleStack): Promise<SeededIds> {
  const seeded = await seedOf(stack)
  const { body: asset } = await stack.platform.to('core-ledger').get(`/assets/${seeded.asset}`)
  const quote = stack.platform.to('quote')
  const { body: known } = await quote.get('/assets?limit=100')
  const { id } = known.data.find(({ code }: { code: string }) => code === asset.code)
  await quote.patch(`/assets/${id}/static-value`, { staticValue: 1 })
  return seeded
}

let hashes = 0

/** The id of a frozen deposit to the seeded account, which waits for a person. */
export async function frozenDeposit(
  { platform }: ConsoleStack,
  seeded: SeededIds,
  amount: string,
  sourceAddress = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
): Promise<string> {
  const ledger = platform.to('core-ledger')
  const { body } = await ledger.post('/transactions/deposit', {
    accountId: seeded.account,
    network: 'polygon',
    assetId: seeded.asset,
    amount,
    sourceAddress,
    txHash: `0x${String(++hashes).padStart(64, 'f')}`,
  })
  const screeningData = { provider: 'Chainlight', score: 91, reason: 'Received from a mixer' }
  await ledger.post('/transactions/complete-screening', { id: body.id, isApproved: false, screeningData })
  return body.id
}
