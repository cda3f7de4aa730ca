import { CommandAct, CommandOutcome, KeyStates } from '@bursar/contracts/operations'
import { t, uuid } from '@bursar/contracts/schema'
import { internalRoutes, response } from '@bursar/http'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'

const Id = t.Object({ id: t.String() })

/** For commands of the project on the gateway's machine (server.ts): acts for the audit trail, and the gateway's keys. */
export const commandActRoutes = ({ audit, identity, operations }: GatewayDeps) =>
  internalRoutes(identity, '/internal')
    .get('/operations/keys', () => ({ rings: operations.keys() }), { response: { 200: response(KeyStates) } })
    .post(
      '/acts',
      async ({ body: { person, service, action, object, request } }) => ({
        id: await audit.begin({
          actor: { door: 'command', id: person, roles: [], session: null, address: 'this machine' },
          service,
          action,
          object,
          requestId: `command-${Bun.randomUUIDv7()}`,
          request,
        }),
      }),
      { body: CommandAct, response: { 200: response(Id) } },
    )
    .post(
      '/acts/:id/outcome',
      async ({ params: { id }, body }) => {
        if (!(await audit.end(id, body))) throw fail('NOT_FOUND')
        return { id }
      },
      { params: t.Object({ id: uuid() }), body: CommandOutcome, response: { 200: response(Id) } },
    )
