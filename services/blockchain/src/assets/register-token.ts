import type { KnownToken } from '@bursar/contracts/blockchain'
import { and, type Db, eq, isNull, param, type Tx, variants } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'
import { requireAddress, tokenKey } from '../networks/comparable'
import type { NetworkSettings } from '../networks/network'
import { findToken, putToken } from '../tokens/tokens'
import { releaseUnknown } from '../transfers/transfers'
import { transfers } from '../transfers/transfers.table'

type Deps = Pick<BlockchainDeps, 'networks' | 'store' | 'wakes' | 'clock'>

/**
 * Registers a token; its deposits that waited for that become pending. A known token gets this code; its decimals are
 * fixed once amounts are recorded. Fails with 400 for an address of another network, with 409 for other decimals.
 */
export async function registerToken(deps: Deps, input: KnownToken): Promise<KnownToken> {
  const { store, wakes, clock } = deps
  const { settings, token } = await readToken(deps, input)
  await store.commit(async (tx) => {
    await requireSameScale(tx, settings, token)
    await putToken(tx, settings.name, token, clock())
    const { contractAddress, decimals } = token
    if (contractAddress !== null) await releaseUnknown(tx, settings.name, contractAddress, decimals)
  })
  wakes.wake('transfers', settings.name)
  return token
}

/** The token with its network and address in their usual forms. */
export async function readToken(
  { networks }: Pick<BlockchainDeps, 'networks'>,
  { code, decimals, ...input }: KnownToken,
): Promise<{ settings: NetworkSettings; token: KnownToken }> {
  const chain = await networks.open(input.network)
  const { settings } = chain
  const { contractAddress: text } = input
  const contractAddress = text === null ? null : requireAddress(chain, 'contractAddress', text)
  return { settings, token: { network: settings.name, contractAddress, code, decimals } }
}

async function requireSameScale(
  tx: Tx,
  { name, kind, nativeDecimals }: NetworkSettings,
  { contractAddress, decimals }: KnownToken,
): Promise<void> {
  const known = await findToken(tx, name, tokenKey(contractAddress))
  if (!known || known.decimals === decimals) return
  const isFixed = contractAddress === null && kind !== 'simulated' && decimals !== nativeDecimals
  if (!isFixed && !(await hasTransfersOf(tx, name, known.contractAddress))) return
  throw fail('CONFLICT', { message: `${known.code} has ${known.decimals} decimals on ${name}, not ${decimals}` })
}

/** Whether amounts of a coin or token were recorded. */
async function hasTransfersOf(db: Db, network: string, contractAddress: string | null): Promise<boolean> {
  const found = await transferOf({ isNative: contractAddress === null })(db).execute({ network, contractAddress })
  return found.length > 0
}

const transferOf = variants(
  ({ isNative }: { isNative: boolean }) =>
    (db) =>
      db
        .select({ id: transfers.id })
        .from(transfers)
        .where(
          and(
            eq(transfers.network, param('network')),
            isNative ? isNull(transfers.contractAddress) : eq(transfers.contractAddress, param('contractAddress')),
          ),
        )
        .limit(1),
)
