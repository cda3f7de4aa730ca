import { accessTokenAudience, accessTokenIssuer } from '@bursar/contracts/identity-manager'
import type { Seal } from '@bursar/http'
import type { Db } from '@bursar/store'
import { type CryptoKey, importJWK, SignJWT } from 'jose'
import type { UserRow } from '../users/users'
import { accessTokenSeconds, findSigningKey, type SigningKeyRow } from './signing-keys'

/** Signs access tokens (contracts/identity-manager.ts, AccessTokenClaims) with the current signing key, which is decrypted once. */
export function createSigner(db: Db, seal: Seal) {
  let opened: { kid: string; key: Promise<CryptoKey | Uint8Array> } | undefined

  const open = ({ kid, privateKey }: SigningKeyRow) => {
    if (opened?.kid !== kid) opened = { kid, key: importJWK(JSON.parse(seal.open(privateKey, kid)), 'EdDSA') }
    return opened.key
  }

  return async (
    { id, roles, participantId, custodianId }: UserRow,
    session: { id: string; mustEnrol: boolean },
    now: Date,
  ): Promise<string> => {
    const row = await findSigningKey(db)
    if (!row) throw new Error('There is no signing key')
    const issuedAt = Math.floor(now.getTime() / 1000)
    return await new SignJWT({
      sid: session.id,
      roles,
      participantId,
      custodianId,
      ...(session.mustEnrol ? { mustEnrol: true } : {}),
    })
      .setProtectedHeader({ alg: 'EdDSA', kid: row.kid, typ: 'JWT' })
      .setSubject(id)
      .setIssuer(accessTokenIssuer)
      .setAudience(accessTokenAudience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + accessTokenSeconds)
      .sign(await open(row))
  }
}
