import { exampleAddress, exampleToken } from '@bursar/contracts/examples'
import { ask, get, type Platform, soon } from '../../../scripts/seed/platform'

const { code, network } = exampleToken
interface Movement {
  id: string
  status: string
  txHash: string | null
}

/** Payments on one day: money comes in over the simulated chain, some of it goes out, and some to another account. */
export async function dayOfPayments(
  of: Platform,
  { account: accountId, otherAccount: otherId }: { account: string; otherAccount: string },
  day: number,
): Promise<void> {
  const list = (type: string) => get<Movement[]>(of, 'core-ledger', `transactions?accountId=${accountId}&type=${type}`)
  const order = async (type: 'withdrawal' | 'transfer', body: object) =>
    (await ask<Movement>(of, 'core-ledger', `POST /transactions/${type}`, { body: { network, assetId, ...body } })).body
  const assets = await get<{ id: string; code: string }[]>(of, 'core-ledger', 'assets')
  const assetId = assets.find((asset) => asset.code === code)?.id
  const complete = async ({ id }: Movement) => {
    await ask(of, 'core-ledger', 'POST /transactions/complete-screening', { body: { id, isApproved: true } })
    await soon(`the end of ${id}`, async () => {
      const { status } = await get<Movement>(of, 'core-ledger', `transactions/${id}`)
      return status === 'COMPLETED' ? true : undefined
    })
  }
  const { address } = await get<{ address: string }>(
    of,
    'wallet',
    `wallets/account/${accountId}/network/${network}?createIfNotExists=true`,
  )
  const paid = await ask<{ transactionHash: string }>(of, 'blockchain', `POST /simulated/${network}/deposits`, {
    body: { address, asset: code, amount: String(wave(day, 5200)) },
  })
  const deposit = await soon('the deposit', async () =>
    (await list('DEPOSIT')).find(({ txHash }) => txHash === paid.body.transactionHash),
  )
  await complete(deposit)
  const paidOut = String(wave(day + 3, 3100))
  await complete(await order('withdrawal', { accountId, amount: paidOut, destinationAddress: exampleAddress }))
  const moved = String(wave(day + 5, 1400))
  await complete(await order('transfer', { fromAccountId: accountId, toAccountId: otherId, amount: moved }))
}

/** Amounts as weeks have them: less on Saturdays and Sundays, and no two days alike. */
const wave = (day: number, most: number): number =>
  Math.round(most * (day % 7 > 4 ? 0.25 : 0.6 + 0.2 * Math.sin(day * 1.7) + 0.2 * Math.sin(day * 0.6)))
