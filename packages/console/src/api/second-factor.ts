import { ApiError } from './api-error'
import { request } from './http'
import { useQuery } from './query'

/** What the one who is logged in has for a second factor. */
export interface SecondFactor {
  totp: boolean
  passkeys: number
  recoveryCodesLeft: number
  /** Who came through the provider may have none. */
  hasPassword: boolean
  required: boolean
}

export interface Passkey {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
}

/** A log-in of one who has shown who it is, and is asked for the second factor. */
export interface Challenged {
  challenge: string
  methods: readonly ('code' | 'passkey')[]
}

/** Where the identity manager keeps them. */
export const ownFactorPath = '/identity/v1/users/mfa'

const read = async <T>(path: string, signal: AbortSignal): Promise<T> =>
  (await request<{ data: T }>(path, { signal })).data

export const useSecondFactor = () =>
  useQuery({ queryKey: ['second-factor'], queryFn: ({ signal }) => read<SecondFactor>(ownFactorPath, signal) })

export const usePasskeys = () =>
  useQuery({
    queryKey: ['second-factor', 'passkeys'],
    queryFn: ({ signal }) => read<Passkey[]>(`${ownFactorPath}/passkeys`, signal),
  })

/** The names of the fields that show a second factor. */
export const proofField = { code: 'second-factor', by: 'second-factor-by' } as const

/** What shows that a user has its second factor: a code, or what a passkey has signed. */
export type Proof = { code: string } | { passkey: object }

/** Of a form with `ProofFields`; where a passkey was chosen, it signs what `options` gives. */
export async function proofIn(form: FormData, options: () => Promise<unknown> = ownOptions): Promise<Proof> {
  if (form.get(proofField.by) !== 'passkey') return { code: String(form.get(proofField.code) ?? '').trim() }
  const { signedByPasskey } = await loadPasskeys()
  return { passkey: await signedByPasskey(await options()) }
}

const ownOptions = async (): Promise<unknown> =>
  (await request<{ data: unknown }>(`${ownFactorPath}/options`, { method: 'POST' })).data

/** Shows the second factor once more: decisions that take it may be made for five minutes. */
export const showSecondFactor = async (form: FormData): Promise<void> =>
  request<void>('/session/verify', { method: 'POST', body: await proofIn(form) })

/** Loaded where a passkey may be used, before a button is pressed: browsers want the press to be just over. */
export const loadPasskeys = () =>
  import('./passkeys').catch(() => {
    throw new ApiError(400, 'This could not be loaded. Load the console again.')
  })
