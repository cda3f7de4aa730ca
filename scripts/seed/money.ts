import { type ExampleId, exampleAddress, exampleApiKey, exampleNames, exampleToken } from '@bursar/contracts/examples'
import { ask, create, get, type Platform, soon } from './platform'

const { code, network } = exampleToken
/** Movements have no name for a look-up: each has an idempotency key, which its service keeps forever. */
const key = (name: string): string => `seed:${name}`

interface Holders {
  account: string
  portfolioAccount: string
  suspendedAccount: string
}
interface Transaction {
  id: string
  status: string
  txHash: string | null
}
type Movements = Partial<Record<ExampleId, string>>

const frozenDeposits = [
  'depositToApprove',
  'depositToReject',
  'depositToApproveAtGateway',
  'depositToRejectAtGateway',
  'depositToReview',
  'depositToRelease',
  'depositToReturn',
] as const
const frozenWithdrawals = [
  'withdrawalToApprove',
  'withdrawalToReject',
  'withdrawalToApproveAtGateway',
  'withdrawalToRejectAtGateway',
] as const

/** Wallets, deposits by the simulated chain, and movements in each state. Nothing if the network is not simulated. */
export async function seedMoney(platform: Platform, holders: Holders, assetId: string): Promise<Movements> {
  const address = await walletOf(platform, holders.account)
  const suspendedAddress = await walletOf(platform, holders.suspendedAccount)
  await walletOf(platform, holders.portfolioAccount)
  const deposit = await payIn(platform, 'deposit', holders.account, { address, amount: '1000' })
  if (deposit === null) return {}
  const made: Movements = { deposit: deposit.id, depositHash: deposit.txHash ?? undefined }
  await credited(platform, deposit)
  made.withdrawal = (await paidOut(platform, holders.account, assetId)).id
  for (const name of [...frozenDeposits, 'pendingDeposit'] as const) {
    // A deposit from the chain itself has no source to return it to.
    const source = name === 'depositToReturn' ? { sourceAddress: exampleAddress } : {}
    const paid = await payIn(platform, name, holders.account, { address, amount: '25', ...source })
    if (paid === null) continue
    made[name] = paid.id
    if (name !== 'pendingDeposit') await screen(platform, paid, false)
    if (name === 'depositToRelease' || name === 'depositToReturn') await rejected(platform, paid)
  }
  for (const name of frozenWithdrawals) {
    const withdrawal = await withdraw(platform, name, holders.account, assetId)
    made[name] = withdrawal.id
    await screen(platform, withdrawal, false)
  }
  const funding = await payIn(platform, 'suspendedDeposit', holders.suspendedAccount, {
    address: suspendedAddress,
    amount: '50',
  })
  if (funding !== null) {
    await credited(platform, funding)
    Object.assign(made, await waiting(platform, holders.suspendedAccount, assetId))
  }
  await orderPayments(platform)
  return made
}

const walletOf = async (platform: Platform, accountId: string): Promise<string> =>
  (
    await get<{ address: string }>(
      platform,
      'wallet',
      `wallets/account/${accountId}/network/${network}?createIfNotExists=true`,
    )
  ).address

/** Pays in on the simulated chain, and waits until the ledger has the deposit; null if the chain is real. */
async function payIn(
  platform: Platform,
  name: string,
  accountId: string,
  { address, amount, ...source }: { address: string; amount: string; sourceAddress?: string },
) {
  const { status, body, isReplay } = await ask<{ transactionHash: string }>(
    platform,
    'blockchain',
    `POST /simulated/${network}/deposits`,
    { body: { address, asset: code, amount, ...source }, headers: { 'idempotency-key': key(name) }, taken: [400] },
  )
  if (status === 400) {
    platform.say(`left out   movements: ${network} is not simulated here`)
    return null
  }
  platform.say(`${isReplay ? 'is there  ' : 'created   '} blockchain: deposit of ${amount} ${code} (${name})`)
  return await soon(`The deposit ${body.transactionHash} in the ledger`, async () => {
    const all = await get<Transaction[]>(platform, 'core-ledger', `transactions?accountId=${accountId}&type=DEPOSIT`)
    return all.find(({ txHash }) => txHash === body.transactionHash)
  })
}

const withdraw = (platform: Platform, name: string, accountId: string, assetId: string) =>
  create<Transaction>(platform, ['core-ledger', 'transactions/withdrawal'], `withdrawal of 10 ${code} (${name})`, {
    key: key(name),
    body: { accountId, network, assetId, amount: '10', destinationAddress: exampleAddress },
  })

const transactionOf = (platform: Platform, id: string) =>
  get<Transaction>(platform, 'core-ledger', `transactions/${id}`)

/** Completes the screening, unless it is completed. */
async function screen(platform: Platform, { id }: Transaction, isApproved: boolean): Promise<void> {
  if ((await transactionOf(platform, id)).status !== 'PENDING') return
  await ask(platform, 'core-ledger', 'POST /transactions/complete-screening', { body: { id, isApproved } })
}

/** Stays in suspense. */
async function rejected(platform: Platform, { id }: Transaction): Promise<void> {
  if ((await transactionOf(platform, id)).status !== 'FROZEN') return
  await ask(platform, 'core-ledger', `POST /transactions/${id}/reject-frozen-deposit`, { body: {} })
}

async function credited(platform: Platform, deposit: Transaction): Promise<void> {
  await screen(platform, deposit, true)
  await completed(platform, deposit, 'The credit of a deposit')
}

const completed = (platform: Platform, { id }: Transaction, what: string) =>
  soon(what, async () => ((await transactionOf(platform, id)).status === 'COMPLETED' ? true : undefined))

/** A withdrawal that the wallet service has sent. */
async function paidOut(platform: Platform, accountId: string, assetId: string): Promise<Transaction> {
  const withdrawal = await withdraw(platform, 'withdrawal', accountId, assetId)
  await screen(platform, withdrawal, true)
  await completed(platform, withdrawal, 'The payout of a withdrawal')
  return withdrawal
}

/** Withdrawals that are approved and wait, because their account was suspended before. */
async function waiting(platform: Platform, accountId: string, assetId: string): Promise<Movements> {
  const toFail = await withdraw(platform, 'withdrawalToFail', accountId, assetId)
  const toRetry = await withdraw(platform, 'withdrawalToRetry', accountId, assetId)
  if ((await transactionOf(platform, toRetry.id)).status === 'PENDING') {
    await ask(platform, 'account', `PUT /accounts/${accountId}`, { body: { status: 'suspended' } })
    for (const each of [toFail, toRetry]) await screen(platform, each, true)
  }
  return { withdrawalToFail: toFail.id, withdrawalToRetry: toRetry.id }
}

/** The participant's on-chain orders; its omnibus account is empty, so neither is paid. */
async function orderPayments(platform: Platform): Promise<void> {
  const order = (type: string, transactionId: string, fields: object) =>
    create(platform, ['blockchain', `transactions/${type}`], `${type} ${transactionId}`, {
      headers: { 'x-api-key': exampleApiKey },
      body: { amount: '1', currency: code, network, transactionId, ...fields },
    })
  await order('transfer', exampleNames.transfer, { destinationAddress: exampleAddress })
  await order('withdraw', exampleNames.withdraw, { iban: 'DE89370400440532013000', swift: 'COBADEFF' })
}
