import type { Desk } from './stack'

/** A passkey with its private key, which can be copied to another authenticator. */
export interface Credential {
  credentialId: string
  isResidentCredential: boolean
  rpId?: string
  privateKey: string
  userHandle?: string
  signCount: number
}

/** Chromium's virtual authenticator for one page; it sees a finger at once. */
export async function virtualAuthenticator({ page, context }: Desk, has: readonly Credential[] = []) {
  const chromium = await context.newCDPSession(page)
  await chromium.send('WebAuthn.enable')
  const { authenticatorId } = await chromium.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  for (const credential of has) await chromium.send('WebAuthn.addCredential', { authenticatorId, credential })
  return {
    /** Whether the finger is the right one. */
    see: (isUserVerified: boolean) => chromium.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    credentials: async (): Promise<Credential[]> =>
      (await chromium.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    clear: () => chromium.send('WebAuthn.clearCredentials', { authenticatorId }),
  }
}
