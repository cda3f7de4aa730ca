/** `bun run events`: lists, shows, retries and drops dead letters, the events that a service could not handle. */
import {
  countDeadLetters,
  type DeadLetterBox,
  dropDeadLetters,
  listDeadLetters,
  openDeadLetters,
  retryDeadLetters,
  showDeadLetter,
} from '@bursar/bus'
import { eventCatalogue } from '@bursar/contracts/event'
import '@bursar/contracts/events'
import type { ServiceName } from '@bursar/contracts/services'
import { environment } from '@bursar/http/environment'
import { runCommand } from './stack/command'
import { usageError } from './stack/options'
import { dataDirOf } from './stack/place'
import { redisUrlOf, withoutPassword } from './stack/redis'

const help = `Usage: bun run events failed [service]
       bun run events show <service> <id>
       bun run events retry <service> <id>...
       bun run events retry <service> --all
       bun run events drop <service> <id>...

Dead letters are events that a service could not handle: after 25 attempts in an hour and a half, or at once when they do
not fit their schema or are not signed with the deployment's secret. Redis keeps the newest 10,000 of a service.

  failed            lists them, the newest first, with the reason: of one service, or of all
  show              prints one with its events, as JSON
  retry             puts them back on the service's queue, with 25 new attempts; not those published more than 30 days ago, of
                    which nobody knows whether the service has acted on them
  drop              deletes them for good

  --all             retries all dead letters of the service
  --limit <n>       how many of each service are listed (20)
  --redis-url <url> the Redis to ask (REDIS_URL, or the one that scripts/start runs)
  --help            this text

Exit code: 0, or 1 when something could not be done.
`

const wrong = (sentence: string) => usageError('events', sentence)

interface Settings {
  url: string
  limit: number
  all: boolean
}

const consumers = [...new Set([...eventCatalogue.values()].flatMap((event) => event.consumers))].sort()

function serviceOf(word: string | undefined): ServiceName {
  const service = consumers.find((name) => name === word)
  if (service) return service
  throw wrong(`${word ?? 'Nothing'} is not a service that consumes events: ${consumers.join(', ')}`)
}

async function withBox<T>(
  service: ServiceName,
  { url }: Settings,
  work: (box: DeadLetterBox) => Promise<T>,
): Promise<T> {
  const box = await openDeadLetters({ url, service }).catch((error: Error) => {
    throw new Error(`${error.message}: ${withoutPassword(url)}`)
  })
  try {
    return await work(box)
  } finally {
    await box.close()
  }
}

const lettersOf = (count: number) => `${count} dead letter${count === 1 ? '' : 's'}`

async function listFailed(words: string[], settings: Settings): Promise<void> {
  const [word, ...rest] = words
  if (rest.length > 0) throw wrong('failed takes one service')
  for (const service of word === undefined ? consumers : [serviceOf(word)]) {
    await withBox(service, settings, async (box) => {
      const count = await countDeadLetters(box)
      console.log(`${service}: ${lettersOf(count)}`)
      for (const { id, name, failedAt, attempts, reason } of await listDeadLetters(box, settings.limit)) {
        console.log(`  ${failedAt}  ${id}  ${name}  attempt ${attempts}  ${printable(reason)}`)
      }
    })
  }
}

/** One line, without control characters: anybody who reaches Redis may have written it. */
const printable = (text: string) => text.replace(/\p{Cc}+/gu, ' ').slice(0, 300)

async function showOne([word, id, ...rest]: string[], settings: Settings): Promise<void> {
  const service = serviceOf(word)
  if (!id || rest.length > 0) throw wrong('show takes a service and an id')
  const letter = await withBox(service, settings, (box) => showDeadLetter(box, id))
  if (!letter) throw new Error(`${service} has no dead letter ${id}`)
  console.log(JSON.stringify(letter, null, 2))
}

async function retry([word, ...ids]: string[], settings: Settings): Promise<void> {
  const service = serviceOf(word)
  if (settings.all === ids.length > 0) throw wrong('retry takes ids or --all')
  const retried = await withBox(service, settings, (box) => retryDeadLetters(box, settings.all ? 'all' : ids))
  console.log(`${service}: ${lettersOf(retried)} back on the queue`)
  if (!settings.all && retried < ids.length)
    throw new Error(`${ids.length - retried} of the ids are not among the dead letters, or are older than 30 days`)
}

async function drop([word, ...ids]: string[], settings: Settings): Promise<void> {
  const service = serviceOf(word)
  if (settings.all || ids.length === 0) throw wrong('drop takes ids')
  const dropped = await withBox(service, settings, (box) => dropDeadLetters(box, ids))
  console.log(`${service}: ${lettersOf(dropped)} deleted`)
  if (dropped < ids.length) throw new Error(`${ids.length - dropped} of the ids are not among the dead letters`)
}

const commands = { failed: listFailed, show: showOne, retry, drop }

const options = {
  all: { type: 'boolean', default: false },
  limit: { type: 'string', default: '20' },
  'redis-url': { type: 'string' },
} as const

await runCommand({ name: 'events', help, options, takesWords: true }, async (values, [name = '', ...words]) => {
  const command = Object.entries(commands).find(([known]) => known === name)?.[1]
  if (!command) throw wrong(`Not understood: ${name || 'no command'}`)
  if (!/^[1-9]\d{0,4}$/.test(values.limit)) throw wrong(`--limit must be a whole number, not ${values.limit}`)
  const url = values['redis-url'] ?? redisUrlOf(environment(), dataDirOf())
  await command(words, { url, limit: Number(values.limit), all: values.all })
})
