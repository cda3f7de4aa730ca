import { ApiError } from './api-error'
import { request } from './http'
import { useRequest } from './read'

/** The second factors of the current user. */
export interface SecondFactor {
  totp: boolean
  passkeys: number
  recoveryCodesLeft: number
  /** Users of the provider may have none. */
  hasPassword: boolean
  required: boolean
}

export interface Passkey {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
}

/** A log-in whose first step has succeeded and that needs the second factor. */
export interface Challenged {
  challenge: string
  methods: readonly ('code' | 'passkey')[]
}

/** Their path in the identity manager. */
export const ownFactorPath = '/identity/v1/users/mfa'

const read = <T>(key: string[], path: string) =>
  useRequest<{ data: T }, T>(['second-factor', ...key], path, { select: ({ data }) => data })
export const useSecondFactor = () => read<SecondFactor>([], ownFactorPath)
export const usePasskeys = () => read<Passkey[]>(['passkeys'], `${ownFactorPath}/passkeys`)

/** The names of the form fields of a second factor. */
export const proofField = { code: 'second-factor', by: 'second-factor-by' } as const

/** The proof of a second factor: a code, or the signature of a passkey. */
type Proof = { code: string } | { passkey: object }

/** The proof in a form with `ProofFields`; a chosen passkey signs the challenge of `options`. */
export async function proofIn(form: FormData, options: () => Promise<unknown> = ownOptions): Promise<Proof> {
  if (form.get(proofField.by) !== 'passkey') return { code: String(form.get(proofField.code) ?? '').trim() }
  const { signedByPasskey } = await loadPasskeys()
  return { passkey: await signedByPasskey(await options()) }
}

const ownOptions = async (): Promise<unknown> =>
  (await request<{ data: unknown }>(`${ownFactorPath}/options`, { method: 'POST' })).data

/** Verifies the second factor again: decisions that need it may be made for five minutes. */
export const showSecondFactor = async (form: FormData): Promise<void> =>
  request<void>('/session/verify', { method: 'POST', body: await proofIn(form) })

/** Loaded before a button is pressed: browsers allow passkeys only right after a press. */
export const loadPasskeys = () =>
  import('./passkeys').catch(() => {
    throw new ApiError(400, 'This could not be loaded. Load the console again.')
  })
