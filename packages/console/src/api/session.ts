import { ApiError } from './api-error'
import { request, whenSessionEnds } from './http'
import { queries } from './query'
import { createStore, useStore } from './store'

export type Role =
  | 'admin'
  | 'operator'
  | 'viewer'
  | 'participant-admin'
  | 'participant-user'
  | 'custodian-admin'
  | 'custodian-user'

export interface Session {
  user: {
    id: string
    email: string
    name: string
    roles: readonly Role[]
    participantId: string | null
    custodianId: string | null
  }
  /** Which of the user's sessions this one is (GET /users/sessions). */
  sessionId: string
  mustChangePassword: boolean
  /** True until the user sets up a second factor; everything else is refused. */
  mustEnrol: boolean
  environment: 'sandbox' | 'production'
  /** ISO times; the session ends at the earlier one. */
  idleUntil: string
  endsAt: string
  /** From this value in USD on, an approval needs a second person; null if switched off. */
  fourEyesUsd: number | null
  /** How the user wants the console to look; what is missing was never changed. */
  preferences: {
    density?: 'compact' | 'comfortable'
    theme?: 'system' | 'light' | 'dark'
    zone?: 'utc' | 'local'
  }
}

/** `ended`: there was a session in this page, and its work waits behind a log-in dialog. */
type SessionState =
  | { is: 'loading' }
  | { is: 'none' }
  | { is: 'failed'; error: ApiError }
  | { is: 'open'; session: Session }
  | { is: 'ended'; session: Session }

export const sessionStore = createStore<SessionState>({ is: 'loading' })

function endSession(): void {
  const state = sessionStore.get()
  if (state.is === 'open') sessionStore.set({ is: 'ended', session: state.session })
}
whenSessionEnds(endSession)

/** The cookie is that of all tabs: whoever logs in or out in one ends what the others show of another person. */
const tabs = new BroadcastChannel('bursar')
tabs.onmessage = ({ data }) => {
  const state = sessionStore.get()
  if (state.is === 'open' && state.session.user.id !== data) endSession()
}

/** Reads who is logged in; called once, at the start. */
export async function loadSession(): Promise<void> {
  try {
    openSession(await request<Session>('/session'))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    sessionStore.set(error.status === 401 ? { is: 'none' } : { is: 'failed', error })
  }
}

/**
 * After a log-in. Earlier reads are repeated; the cache of another user, or of nobody, is emptied first. Writes
 * that were refused meanwhile are not repeated: their dialog is still open.
 */
export function openSession(session: Session): void {
  const before = sessionStore.get()
  if (!('session' in before) || before.session.user.id !== session.user.id) queries.clear()
  sessionStore.set({ is: 'open', session })
  tabs.postMessage(session.user.id)
  if (before.is === 'ended') void queries.invalidateQueries()
}

/** Ends this session, or all sessions (`everywhere`). */
export async function closeSession(everywhere = false): Promise<void> {
  await request<void>(everywhere ? '/session?everywhere=true' : '/session', { method: 'DELETE' })
  tabs.postMessage(null)
  sessionStore.set({ is: 'none' })
}

/** The session of the current user; pages are rendered only with one. */
export function useSession(): Session {
  const state = useStore(sessionStore)
  if (state.is === 'open' || state.is === 'ended') return state.session
  throw new Error('There is no session')
}

const may = {
  /** Sees what belongs to all participants. */
  read: ['admin', 'operator', 'viewer'],
  /** Decides, suspends, replays. */
  operate: ['admin', 'operator'],
  /** Users, providers, limits. */
  manage: ['admin'],
} as const satisfies Record<string, readonly Role[]>
export type Act = keyof typeof may

/** Whether this user may do it. The gateway checks again: this only hides buttons whose requests would be refused. */
export const can = ({ user }: Session, act: Act): boolean =>
  user.roles.some((role) => (may[act] as readonly Role[]).includes(role))

export const useCan = (act: Act): boolean => can(useSession(), act)
