import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openReadOnly } from '@bursar/store'
import type { LocalServer } from '@bursar/testing'
import { localServer } from '@bursar/testing'
import { openGateway, type TestGateway } from './harness'
import { echo } from './peers'

const account = '01a1fe8f-0000-7000-8000-0000000000d1'
const staffId = '01a1fe8f-0000-7000-8000-000000000001'
const session = '01a1fe8f-0000-7000-8000-000000000002'
const withKey = { 'x-api-key': 'sk_test_audit' }

/** An account service: GET shows the status, PUT sets it. */
let status = 'active'
let asked: { method: string; path: string; kind: string }[] = []
const accountService = async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url)
  const caller = JSON.parse(atob((request.headers.get('x-identity') ?? '').split('.')[1] ?? ''))
  asked.push({ method: request.method, path: pathname, kind: caller.kind })
  if (request.method === 'PUT') status = ((await request.json()) as { status: string }).status
  if (request.method === 'POST') return Response.json({ id: account, webhookSecret: 'whsec_made' }, { status: 201 })
  return Response.json({ id: account, status, apiKey: 'sk_live_hidden', nested: { password: 'geheim' } })
}

let gateway: TestGateway
let accounts: LocalServer
beforeAll(async () => {
  accounts = localServer(accountService)
  gateway = await openGateway({ ACCOUNT_URL: accounts.url, CUSTOMER_URL: accounts.url, UPSTREAM_TIMEOUT_MS: '1500' })
  gateway.main.issue(withKey['x-api-key'], { participantId: account })
})
afterAll(async () => {
  await gateway?.close()
  await accounts?.stop()
})

const operator = () => gateway.user({ roles: ['operator'], sub: staffId, sid: session })

/** The rows of the trail, from a connection of its own. */
function rows() {
  const database = openReadOnly(join(gateway.platform.dataDir, 'gateway.sqlite'))
  try {
    return database.all<Record<string, string | number | null>>('SELECT * FROM audit_trail ORDER BY number')
  } finally {
    database.close()
  }
}
