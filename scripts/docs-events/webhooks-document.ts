import type { WebhookEvent } from '@bursar/contracts/webhook-events'
import { fieldRows } from './field-rows'
import { markdownTable } from './markdown-table'

const introduction = `# Webhook events

What is delivered to the endpoints that institutions register (\`POST /webhook/v1/webhooks/endpoints\`). \`bun run
docs:events\` writes this page from the catalogue (\`packages/contracts/src/webhook-events.ts\`); do not edit it. The same stands
in the gateway's \`/openapi.json\` under \`webhooks\`, and in \`GET /webhook/v1/webhooks/event-types\`.

Each delivery is a POST with these headers ([Standard Webhooks](https://www.standardwebhooks.com)):

| header | meaning |
|---|---|
| \`webhook-id\` | the delivery: the same when it comes again, by a retry or a replay, so act once on each |
| \`webhook-timestamp\` | when it was sent, in seconds since 1970: refuse one of more than five minutes ago |
| \`webhook-signature\` | \`v1,\` and the HMAC-SHA256 of \`id.timestamp.body\` in base64, by the bytes that the secret has in base64 behind \`whsec_\`; for 24 hours after a rotation one by each secret, with a space between them |

Answer 2xx within 15 seconds: any other answer has the delivery sent again, by the schedule of the
[webhook service](./services/webhook.md), and 410 disables the endpoint. Order is not promised: decide by the record's own
status.

A body with \`"test": true\` is an example that somebody has sent with \`bun run trigger\` or
\`POST /webhook/v1/webhooks/endpoints/:id/test\`: nothing has happened.
`

/** The page of all events for endpoints: when each is sent, its fields, and an example. */
export function webhooksDocument(events: readonly WebhookEvent[]): string {
  const overview = markdownTable(
    ['type', 'when'],
    events.map(({ type, description }) => [`[${type}](#${type.replaceAll('.', '')})`, description]),
  )
  return `${[introduction.trimEnd(), overview, ...events.map(section)].join('\n\n')}\n`
}

function section({ type, description, body, example }: WebhookEvent): string {
  const rows = fieldRows(body).map(({ field, type, isOptional, meaning }) => [
    `\`${field}\``,
    isOptional ? `${type}, optional` : type,
    meaning,
  ])
  const table = markdownTable(['field', 'type', 'meaning'], rows)
  return `## ${type}\n\n${description}.\n\n${table}\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``
}
