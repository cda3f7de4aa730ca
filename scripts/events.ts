/** `bun run events`: lists, shows and retries dead letters, the events that a service could not handle. */
import {
  countDeadLetters,
  type DeadLetterBox,
  listDeadLetters,
  openDeadLetters,
  retryDeadLetters,
  showDeadLetter,
} from '@bursar/bus'
import { eventCatalogue } from '@bursar/contracts/event'
import '@bursar/contracts/events'
import type { ServiceName } from '@bursar/contracts/services'
import { environment } from '@bursar/http/environment'
import { carryOut } from './stack/complaint'
import { readOptions, usageError } from './stack/options'
import { dataDirOf } from './stack/place'
import { redisUrlOf, withoutPassword } from './stack/redis'

const help = `Usage: bun run events failed [service]
       bun run events show <service> <id>
       bun run events retry <service> <id>...
       bun run events retry <service> --all

Dead letters are events that a service could not handle: after 25 attempts in an hour and a half, or at once when they do
not fit their schema or are not signed with the deployment's secret. Redis keeps them for 30 days, 10,000 per service.

  failed            lists them, the newest first, with the reason: of one service, or of all
  show              prints one with its events, as JSON
  retry             puts them back on the service's queue, with 25 new attempts

  --all             retries all dead letters of the service
  --limit <n>       how many of each service are listed (20)
  --redis-url <url> the Redis to ask (REDIS_URL, or the one that scripts/start runs)
  --help            this text

Exit code: 0, or 1 when something could not be done.
`

const wrong = (sentence: string) => usageError('events', sentence)

const usualUrl = redisUrlOf(environment(), dataDirOf())

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

const print = (text: string) => void process.stdout.write(`${text}\n`)

async function listFailed(words: string[], settings: Settings): Promise<void> {
  const [word, ...rest] = words
  if (rest.length > 0) throw wrong('failed takes one service')
  for (const service of word === undefined ? consumers : [serviceOf(word)]) {
    await withBox(service, settings, async (box) => {
      const count = await countDeadLetters(box)
      print(`${service}: ${count} dead letter${count === 1 ? '' : 's'}`)
      for (const { id, name, failedAt, attempts, reason } of await listDeadLetters(box, settings.limit)) {
        print(`  ${failedAt}  ${id}  ${name}  attempt ${attempts}  ${printable(reason)}`)
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
  print(JSON.stringify(letter, null, 2))
}

async function retry([word, ...ids]: string[], settings: Settings): Promise<void> {
  const service = serviceOf(word)
  if (settings.all === ids.length > 0) throw wrong('retry takes ids or --all')
  const retried = await withBox(service, settings, (box) => retryDeadLetters(box, settings.all ? 'all' : ids))
  print(`${service}: ${retried} dead letter${retried === 1 ? '' : 's'} back on the queue`)
  if (!settings.all && retried < ids.length)
    throw new Error(`${ids.length - retried} of the ids are not among the dead letters`)
}

const commands = { failed: listFailed, show: showOne, retry }

async function main(): Promise<void> {
  const { values, positionals } = readOptions('events', {
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      limit: { type: 'string', default: '20' },
      'redis-url': { type: 'string', default: usualUrl },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return print(help.trimEnd())
  const [name = '', ...words] = positionals
  const command = Object.entries(commands).find(([known]) => known === name)?.[1]
  if (!command) throw wrong(`Not understood: ${name || 'no command'}`)
  if (!/^[1-9]\d{0,4}$/.test(values.limit)) throw wrong(`--limit must be a whole number, not ${values.limit}`)
  await command(words, { url: values['redis-url'], limit: Number(values.limit), all: values.all })
}

await carryOut(main)
