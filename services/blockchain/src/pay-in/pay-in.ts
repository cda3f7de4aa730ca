import type { Static } from '@bursar/contracts/schema'
import { formatAmount } from '@bursar/money'
import type { Tx } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'
import { requireAddress, tokenKey } from '../networks/comparable'
import { hashText, outside } from '../networks/forms'
import { addBlock } from '../networks/simulated/blocks'
import { amountField } from '../tokens/amount-field'
import { findToken, readTokens } from '../tokens/tokens'
import type { NewSimulatedDeposit, SimulatedDeposit } from './pay-in.model'

/** Checks a pay-in, and returns a function that makes it in a commit. Fails for an invalid one. */
export async function payIn(
  { networks, store, clock }: BlockchainDeps,
  name: string,
  { address, asset, amount, sourceAddress }: Static<typeof NewSimulatedDeposit>,
): Promise<(tx: Tx) => Promise<Static<typeof SimulatedDeposit>>> {
  const chain = await networks.open(name)
  const { settings } = chain
  if (settings.kind !== 'simulated') {
    throw fail('INVALID_REQUEST', { message: `${settings.name} is not simulated: deposits come from its chain` })
  }
  const to = requireAddress(chain, 'address', address)
  const from =
    sourceAddress === undefined ? outside[settings.form] : requireAddress(chain, 'sourceAddress', sourceAddress)
  const known = await readTokens(store.read, settings.name)
  const token =
    (await findToken(store.read, settings.name, tokenKey(asset))) ??
    known.find(({ code }) => code.toLowerCase() === asset.toLowerCase())
  if (!token) {
    const codes = known.map(({ code }) => code).join(', ')
    throw fail('INVALID_REQUEST', { message: `asset is not known on ${settings.name}; there are ${codes}` })
  }
  const units = amountField(amount, token.decimals)
  const { contractAddress } = token
  return async (tx) => {
    const txHash = hashText(settings.form, crypto.randomUUID())
    const movement = { txHash, fromAddress: from, toAddress: to, contractAddress, amount: units, nonce: null }
    const blockNumber = await addBlock(tx, settings, [movement], clock())
    return {
      network: settings.name,
      simulated: true,
      transactionHash: txHash,
      blockNumber,
      address: to,
      asset: token.code,
      amount: formatAmount(units, token.decimals),
    }
  }
}
