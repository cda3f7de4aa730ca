import { nullable, t } from '@bursar/contracts/schema'
import { Deleted, deleted, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { endsAt, idleUntil } from '../console-sessions/console-sessions'
import { clearCookie, setCookie, setDeviceCookie } from '../console-sessions/cookie'
import { requireOwnPage } from '../console-sessions/own-page'
import type { Session } from '../console-sessions/session'
import type { GatewayDeps } from '../deps'
import { preferencesOf } from '../desk/preferences'
import { type Asking, askFor, askIdentity } from './ask-identity'
import { changePassword } from './change-password'
import { type Begun, logIn, logInByProof } from './log-in'
import { logOutEverywhere, logOutHere } from './log-out'
import { addPasskey, confirmSecondFactor, verifySecondFactor } from './second-factor'
import {
  CodeAsked,
  ConsoleSession,
  Forgotten,
  LogIn,
  LogInChallenge,
  LogInCode,
  LogOutQuery,
  NewPassword,
  OwnCode,
  OwnPasskey,
  OwnProof,
  PasskeyOptions,
} from './session.model'

export const cookiesOf = ({ secret, deviceToken }: Begun): string[] => [
  setCookie(secret),
  ...(deviceToken === null ? [] : [setDeviceCookie(deviceToken)]),
]

/** Beginning and ending sessions of the console. */
export const sessionRoutes = (deps: GatewayDeps) => new Elysia().use(logInRoutes(deps)).use(codeRoutes(deps))

export function sessionHelp(deps: GatewayDeps) {
  const { sessions, rateLimits, policies, config, store } = deps
  /** Also a session whose password must be changed first. */
  async function anySession(request: Request): Promise<Session> {
    requireOwnPage(request)
    const session = await sessions.of(request)
    await rateLimits.take(session.counted, policies.requests)
    return session
  }

  const askingOf = async (request: Request): Promise<Asking> => ({ request, session: await anySession(request) })

  const shown = async ({ row, sessionId, mustEnrol }: Session): Promise<ConsoleSession> => ({
    user: row.user,
    sessionId,
    mustChangePassword: row.mustChangePassword,
    mustEnrol,
    environment: config.environment,
    idleUntil: idleUntil(row).toISOString(),
    endsAt: endsAt(row).toISOString(),
    fourEyesUsd: config.fourEyesUsd,
    preferences: await preferencesOf(store.read, row.userId),
  })
  return { anySession, askingOf, shown }
}

function codeRoutes(deps: GatewayDeps) {
  const { askingOf, shown } = sessionHelp(deps)
  return new Elysia({ prefix: '/console/api/session', detail: { hide: true } })
    .post(
      '/second-factor',
      async ({ request, body }) => {
        const { session, recoveryCodes } = await confirmSecondFactor(deps, await askingOf(request), body.code)
        return { session: await shown(session), recoveryCodes }
      },
      {
        body: OwnCode,
        response: { 200: response(t.Object({ session: ConsoleSession, recoveryCodes: t.Array(t.String()) })) },
      },
    )
    .post(
      '/verify',
      async ({ request, body }) => {
        await verifySecondFactor(deps, await askingOf(request), body)
        return { success: true as const, message: 'The second factor is shown' }
      },
      { body: OwnProof, response: { 200: response(Deleted) } },
    )
    .post(
      '/passkeys',
      async ({ request, body }) => {
        const { session, recoveryCodes } = await addPasskey(deps, await askingOf(request), body)
        return { session: await shown(session), recoveryCodes }
      },
      {
        body: OwnPasskey,
        response: {
          200: response(t.Object({ session: ConsoleSession, recoveryCodes: nullable(t.Array(t.String())) })),
        },
      },
    )
}

function logInRoutes(deps: GatewayDeps) {
  const { anySession, askingOf, shown } = sessionHelp(deps)
  return new Elysia({ prefix: '/console/api/session', detail: { hide: true } })
    .get('/', async ({ request }) => shown(await anySession(request)), { response: { 200: response(ConsoleSession) } })
    .post(
      '/',
      async ({ request, set, body }) => {
        requireOwnPage(request)
        const begun = await logIn(deps, request, body)
        if (!('session' in begun)) return begun
        set.headers['set-cookie'] = cookiesOf(begun) as never
        return await shown(begun.session)
      },
      { body: LogIn, response: { 200: response(t.Union([ConsoleSession, CodeAsked])) } },
    )
    .post(
      '/code',
      async ({ request, set, body }) => {
        requireOwnPage(request)
        const begun = await logInByProof(deps, request, body)
        set.headers['set-cookie'] = cookiesOf(begun) as never
        return await shown(begun.session)
      },
      { body: LogInCode, response: { 200: response(ConsoleSession) } },
    )
    .post(
      '/code/options',
      async ({ request, body }) => {
        requireOwnPage(request)
        return (await askFor(deps, { request, path: '/auth/mfa/options', body }, PasskeyOptions)).data
      },
      { body: LogInChallenge, response: { 200: response(PasskeyOptions.properties.data) } },
    )
    .delete(
      '/',
      async ({ request, query, set }) => {
        await (query.everywhere === 'true' ? logOutEverywhere : logOutHere)(deps, await askingOf(request))
        set.headers['set-cookie'] = clearCookie
        return deleted('Logged out')
      },
      { query: LogOutQuery, response: { 200: response(Deleted) } },
    )
    .post(
      '/password',
      async ({ request, set, body }) => {
        const begun = await changePassword(deps, await askingOf(request), body)
        set.headers['set-cookie'] = (begun ? cookiesOf(begun) : clearCookie) as never
        return { session: begun && (await shown(begun.session)) }
      },
      { body: NewPassword, response: { 200: response(t.Object({ session: t.Union([ConsoleSession, t.Null()]) })) } },
    )
    .post(
      '/forgot',
      async ({ request, body }) => {
        requireOwnPage(request)
        await askIdentity(deps, { request, path: '/auth/forgot-password', body })
        return { success: true as const, message: 'If a user has this address, a mail is on its way' }
      },
      { body: Forgotten, response: { 200: response(Deleted) } },
    )
}
