import { describe, expect, setSystemTime, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook, WebhookVerificationError } from '../src/webhooks'

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, so').toString('base64')}`
const other = `whsec_${Buffer.from('another secret of 32 bytes, also').toString('base64')}`
const body = JSON.stringify({
  id: '01900000-0000-7000-8000-000000000001',
  type: 'payment.executed',
  timestamp: '2026-01-31T12:00:00.000Z',
  data: { transactionId: '01900000-0000-7000-8000-000000000503', status: 'COMPLETED', type: 'TRANSFER' },
})

interface Sent {
  text?: string
  agoSeconds?: number
  by?: string
}
const sent = ({ text = body, agoSeconds = 0, by = secret }: Sent = {}): Record<string, string> => {
  const at = new Date(Date.now() - agoSeconds * 1000)
  return {
    'webhook-id': 'd-1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign('d-1', at, text),
  }
}

describe('a delivery', () => {
  test('gives its id and event', () => {
    const { id, event, isTest } = verifyWebhook(secret, { headers: sent(), body })
    expect([id, isTest]).toEqual(['d-1', false])
    expect(event.type === 'payment.executed' && event.data.status).toBe('COMPLETED')
  })

  test('says that its event is a test', () => {
    const text = JSON.stringify({ ...JSON.parse(body), test: true })
    expect(verifyWebhook(secret, { headers: sent({ text }), body: text }).isTest).toBe(true)
    const ping = JSON.stringify({
      type: 'webhook.test',
      timestamp: '2026-01-31T12:00:00.000Z',
      data: { endpointId: 'e' },
    })
    expect(verifyWebhook(secret, { headers: sent({ text: ping }), body: ping }).isTest).toBe(true)
  })

  test('is read from the headers of Fetch and of Node, and from bytes', () => {
    expect(verifyWebhook(secret, { headers: new Headers(sent()), body }).id).toBe('d-1')
    const node = { ...sent(), 'set-cookie': ['a', 'b'], absent: undefined }
    expect(verifyWebhook(secret, { headers: node, body: new TextEncoder().encode(body) }).id).toBe('d-1')
    const capitals = Object.fromEntries(Object.entries(sent()).map(([name, value]) => [name.toUpperCase(), value]))
    expect(verifyWebhook(secret, { headers: capitals, body }).id).toBe('d-1')
  })

  test('is signed by any of several secrets while one replaces another', () => {
    expect(verifyWebhook([other, secret], { headers: sent(), body }).id).toBe('d-1')
    expect(verifyWebhook([secret, other], { headers: sent(), body }).id).toBe('d-1')
    const both = sent()
    both['webhook-signature'] = `${sent({ by: other })['webhook-signature']} ${both['webhook-signature']}`
    expect(verifyWebhook(secret, { headers: both, body }).id).toBe('d-1')
  })
})

describe('refused', () => {
  const refused = (headers: Record<string, string>, text: string | Uint8Array = body) =>
    expect(() => verifyWebhook(secret, { headers, body: text })).toThrow()

  test('another body, id or time', () => {
    refused(sent(), `${body} `)
    refused({ ...sent(), 'webhook-id': 'd-2' })
    refused({ ...sent(), 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 60) })
  })

  test('another secret, no signature, one of another version', () => {
    expect(() => verifyWebhook(other, { headers: sent(), body })).toThrow(WebhookVerificationError)
    for (const signature of ['', 'v1,', 'v1', 'v2,abc', sent()['webhook-signature']?.replace('v1,', 'v1a,') ?? ''])
      refused({ ...sent(), 'webhook-signature': signature })
    refused({})
  })

  test.each([301, 86_400, -301])('one of %d seconds ago', (agoSeconds) => {
    // The clock stands: a second that begins meanwhile would bring the last one within five minutes.
    setSystemTime(new Date())
    try {
      refused(sent({ agoSeconds }))
    } finally {
      setSystemTime()
    }
  })

  test.each(['null', '[]', '{}', '{"type":"x"}', '{"type":5,"data":{}}', 'no JSON', ''])(
    'a signed body that is no event: %j',
    (text) => refused(sent({ text }), text),
  )

  test('bytes that are no text, although what they are read as was signed', () => {
    const [before = '', after = ''] = body.split('COMPLETED')
    const bytes = [...Buffer.from(before), 0xff, ...Buffer.from(after)]
    refused(sent({ text: `${before}\ufffd${after}` }), new Uint8Array(bytes))
    expect(() => verifyWebhook(secret, { headers: sent(), body: Uint8Array.of(0xff) })).toThrow(
      WebhookVerificationError,
    )
  })

  test('no secret at all', () => {
    expect(() => verifyWebhook([], { headers: sent(), body })).toThrow('needs the secret')
    expect(() => verifyWebhook('', { headers: sent(), body })).toThrow()
  })
})
