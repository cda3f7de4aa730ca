import { exampleToken } from '@bursar/contracts/examples'
import { verifyMessage } from 'viem'
import { soon } from '../seed/platform'
import type { Caller } from './gateway'
import type { Institution, World } from './world'

const { code, network, contractAddress, decimals, chainId } = exampleToken
/** In a sandbox an address that ends so is sanctioned (decisions, Screening sources). */
const flaggedAddress = '0x1111111111111111111111111111111111119999'
const senderAddress = '0x2222222222222222222222222222222222222222'

interface Movement {
  id: string
  status: string
  txHash: string | null
}
interface Balance {
  assetCode: string
  availableBalance: string
  frozenBalance: string
}

/** What a customer of the institution has by now. */
export interface Holder {
  customerId: string
  accountId: string
  portfolioId: string
}

/** A customer with an account for stablecoins, whose wallet is on Polygon, and one for a portfolio. */
export async function openAccounts({ run, say }: World, { name, program }: Institution): Promise<Holder> {
  const body = { externalId: `demo-${run}`, status: 'active' }
  const { id: customerId } = await program.ask<{ id: string }>('POST /customer/v1/customers', { body })
  const account = (type: string, title: string) =>
    program.ask<{ id: string }>('POST /account/v1/accounts', {
      body: {
        type,
        status: 'active',
        name: title,
        customerId,
        accountExternalId: `demo-${run}-${title.toLowerCase()}`,
      },
    })
  const { id: accountId } = await account('STABLECOINS', 'Treasury')
  const { id: portfolioId } = await account('PORTFOLIO', 'Portfolio')
  say(`${name} has a customer with two accounts, Treasury and Portfolio`)
  return { customerId, accountId, portfolioId }
}

/** Money comes in over the chain, is screened and credited. */
export async function depositOnChain(
  { say, run }: World,
  { program }: Institution,
  admin: Caller,
  holder: Holder,
): Promise<string> {
  const address = await walletOf(program, holder.accountId)
  say(`Treasury has a wallet on ${network}: ${address}`)
  await ensureToken(admin)
  await admin.ask(`POST /blockchain/v1/simulated/${network}/deposits`, {
    body: { address, asset: code, amount: '1000', sourceAddress: senderAddress },
    key: `demo-deposit-${run}`,
  })
  const deposit = await soon('The deposit in the ledger', async () => {
    const query = `accountId=${holder.accountId}&type=DEPOSIT`
    const [found] = await program.ask<Movement[]>(`GET /core/v1/transactions?${query}`)
    return found
  })
  say(`1000 ${code} have arrived on the chain and are in suspense: ${deposit.txHash}`)
  await screen(admin, deposit.id, senderAddress)
  await reached(program, deposit.id, 'COMPLETED')
  say('The screening found nothing against their sender: they are credited')
  return deposit.id
}

/** What the account is worth. USDC follows the dollar: no provider on the internet is needed for its rate. */
export async function quoteAccount({ say }: World, { program }: Institution, { accountId }: Holder): Promise<void> {
  const rate = await program.ask<{ rate: number; isStatic: boolean }>('POST /quote/v1/rates', {
    body: { assetCode: code },
  })
  const { totalBalance } = await program.ask<{ totalBalance: number }>(`GET /account/v1/accounts/${accountId}/balance`)
  const kind = rate.isStatic ? 'a static rate' : 'a market rate'
  say(`The rate of ${code} is ${rate.rate} USD (${kind}): the account is worth ${totalBalance} USD`)
}

/** Money goes out: flagged by its screening, reviewed, approved and sent. */
export async function withdrawOnChain(
  { say, run }: World,
  { id, program }: Institution,
  admin: Caller,
  { accountId }: Holder,
): Promise<string> {
  const route = 'POST /api/v1/core/transactions/withdrawal'
  const { id: withdrawalId } = await program.ask<Movement>(route, {
    body: {
      accountId,
      amount: '250',
      assetCode: code,
      network,
      participantId: id,
      destinationAddress: flaggedAddress,
      reference: 'Invoice 204',
    },
    key: `demo-withdrawal-${run}`,
  })
  say(`A withdrawal of 250 ${code} is ordered; the amount is held: ${await wordsOfBalance(program, accountId)}`)
  await screen(admin, withdrawalId, flaggedAddress)
  await reached(program, withdrawalId, 'FROZEN')
  say('The screening has found its destination on a list: the withdrawal is FROZEN')
  await admin.ask(`POST /api/v1/core/transactions/${withdrawalId}/approve-frozen-withdrawal`, {
    key: `demo-review-${run}`,
  })
  say('An operator has reviewed and approved it')
  const { txHash } = await reached(program, withdrawalId, 'COMPLETED')
  say(`The wallet has signed it and the chain has confirmed it: ${txHash}`)
  say(`Treasury holds ${await wordsOfBalance(program, accountId)}`)
  return withdrawalId
}

/** A message is signed with the portfolio's key, and the signature verified outside of the platform. */
export async function signWithPortfolio({ say }: World, { program }: Institution, { portfolioId }: Holder) {
  await walletOf(program, portfolioId)
  const message = 'Sign in to the exchange'
  const signed = await program.ask<{ signature: `0x${string}`; walletAddress: `0x${string}` }>(
    'POST /api/v1/core/transactions/portfolio/sign-message',
    { body: { accountId: portfolioId, chainId, signMode: 'PERSONAL_SIGN', message, messageEncoding: 'UTF8' } },
  )
  const isRight = await verifyMessage({ address: signed.walletAddress, message, signature: signed.signature })
  if (!isRight) throw new Error(`The signature ${signed.signature} is not that of ${signed.walletAddress}`)
  say(`Portfolio ${signed.walletAddress} has signed a message, and the signature is valid`)
}

const walletOf = async (program: Caller, accountId: string): Promise<string> => {
  const route = `GET /wallet/v1/wallets/account/${accountId}/network/${network}?createIfNotExists=true` as const
  return (await program.ask<{ address: string }>(route)).address
}

/** Adds the token to the ledger's catalogue, where it is missing. */
async function ensureToken(admin: Caller): Promise<void> {
  const assets = await admin.ask<{ code: string }[]>('GET /core/v1/assets')
  if (assets.some((asset) => asset.code === code)) return
  const body = { code, name: 'USD Coin', decimalPlaces: decimals, address: contractAddress, network }
  await admin.ask('POST /core/v1/assets', { body })
}

/** Asks the sanctions service about the counterparty, and tells the ledger. A ledger that screens by itself agrees. */
async function screen(admin: Caller, id: string, address: string): Promise<void> {
  const { sanctioned } = await admin.ask<{ sanctioned: boolean }>('POST /sanctions/v1/sanctions/verify-address/sync', {
    body: { address, blockchain: network },
  })
  await admin.ask('POST /core/v1/transactions/complete-screening', { body: { id, isApproved: !sanctioned } })
}

const reached = (program: Caller, id: string, status: string): Promise<Movement> =>
  soon(`The status ${status} of ${id}`, async () => {
    const movement = await program.ask<Movement>(`GET /core/v1/transactions/${id}`)
    return movement.status === status ? movement : undefined
  })

async function wordsOfBalance(program: Caller, accountId: string): Promise<string> {
  const balances = await program.ask<Balance[]>(`GET /core/v1/balances/account/${accountId}`)
  return balances
    .map(
      ({ assetCode, availableBalance, frozenBalance }) =>
        `${availableBalance} ${assetCode} available, ${frozenBalance} frozen`,
    )
    .join('; ')
}
