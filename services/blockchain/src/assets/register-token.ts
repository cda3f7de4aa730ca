import type { KnownToken } from '@bursar/contracts/blockchain'
import { and, type Db, eq, isNull, param, type Tx, variants } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'
import { requireAddress, tokenKey } from '../networks/comparable'
import type { Chain, NetworkSettings } from '../networks/network'
import { findToken, putToken } from '../tokens/tokens'
import { releaseUnknown } from '../transfers/transfers'
import { transfers } from '../transfers/transfers.table'

type Deps = Pick<BlockchainDeps, 'networks' | 'store' | 'wakes' | 'clock' | 'config'>

/**
 * Registers a token; its deposits that waited for that become pending. A known token gets this code; its decimals are
 * fixed once amounts are recorded. They are those of its contract, whatever is asked for: an asset of other decimals would
 * show, and value, all of its amounts at another scale; the ledger sets its deposits aside. Fails with 400 for an address
 * of another network, with 409 for other decimals, and while the network is unreachable.
 */
export async function registerToken(deps: Deps, input: KnownToken): Promise<KnownToken> {
  const { store, wakes, clock, config } = deps
  const { chain, token: asked } = await readToken(deps, input)
  const { settings } = chain
  const own = asked.contractAddress === null ? null : await chain.decimals(asked.contractAddress)
  const token = { ...asked, decimals: own ?? asked.decimals }
  await store.commit(async (tx) => {
    await requireSameScale(tx, settings, token)
    await putToken(tx, settings.name, token, clock())
    const { contractAddress } = token
    if (contractAddress !== null) await releaseUnknown(tx, settings.name, { ...token, contractAddress }, config.dust)
  })
  wakes.wake('transfers', settings.name)
  return token
}

/** The token with its network and address in their usual forms. */
export async function readToken(
  { networks }: Pick<BlockchainDeps, 'networks'>,
  { code, decimals, ...input }: KnownToken,
): Promise<{ chain: Chain; token: KnownToken }> {
  const chain = await networks.open(input.network)
  const { contractAddress: text } = input
  const contractAddress = text === null ? null : requireAddress(chain, 'contractAddress', text)
  return { chain, token: { network: chain.settings.name, contractAddress, code, decimals } }
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
