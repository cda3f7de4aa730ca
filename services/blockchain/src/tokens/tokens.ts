import {
  asc,
  byKey,
  caseless,
  type Db,
  eq,
  param,
  prepared,
  rowsBy,
  type Store,
  type Tx,
  upsertInto,
} from '@bursar/store'
import type { SeedToken } from '../networks/built-in-tokens'
import { tokenKey } from '../networks/comparable'
import type { NetworkSettings, Token } from '../networks/network'
import { type TokenRow, tokens } from './tokens.table'

/** Registers a token; a known one gets this code and these decimals. */
export async function putToken(tx: Tx, network: string, token: Token, now: Date): Promise<TokenRow> {
  const row: TokenRow = { ...token, network, key: tokenKey(token.contractAddress), registeredAt: now }
  await upsertToken(tx).execute(row)
  return row
}

/** Registers the coins of these networks, and the tokens of the settings on them; known ones are unchanged. */
export const seedTokens = (
  store: Store,
  networks: readonly NetworkSettings[],
  given: readonly SeedToken[],
  now: Date,
): Promise<void> =>
  store.commit(async (tx) => {
    for (const { name, nativeCode, nativeDecimals } of networks) {
      const coin: Token = { contractAddress: null, code: nativeCode, decimals: nativeDecimals }
      const own = given.filter(({ network }) => network === name)
      for (const { contractAddress, code, decimals } of [coin, ...own]) {
        if (await findToken(tx, name, tokenKey(contractAddress))) continue
        await putToken(tx, name, { contractAddress, code, decimals }, now)
      }
    }
  })

/** By the comparable contract address; '' for the native coin. */
export async function findToken(db: Db, network: string, key: string): Promise<TokenRow | null> {
  const [row] = await tokenByKey(db).execute({ network, key })
  return row ?? null
}

/** The tokens of a network, its own coin first. */
export const readTokens = rowsBy(tokens, 'network', 'key')

/** The tokens of this code, on any network. */
export const readByCode = (db: Db, code: string): Promise<TokenRow[]> => tokensByCode(db).execute({ code })

const upsertToken = upsertInto(tokens, ['network', 'key'], ['code', 'decimals'])
const tokenByKey = byKey(tokens, 'network', { only: eq(tokens.key, param('key')) })
const tokensByCode = prepared((db) =>
  db
    .select()
    .from(tokens)
    .where(eq(caseless(tokens.code), caseless(param('code'))))
    .orderBy(asc(tokens.network)),
)
