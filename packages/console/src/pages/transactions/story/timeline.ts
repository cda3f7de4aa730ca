import type {
  Transaction,
  useDecisions,
  useDeliveries,
  useEntries,
  useEvents,
  useMessages,
  useOnChain,
  usePhases,
  useScreeningJobs,
} from './story-query'

type Data<Hook extends (...args: never[]) => { data: unknown }> = NonNullable<ReturnType<Hook>['data']>

/** What was read of a transaction; a part that could not be read, or is not there yet, is undefined. */
export interface StoryParts {
  phases?: Data<typeof usePhases>['phases'] | undefined
  decisions?: Data<typeof useDecisions> | undefined
  entries?: Data<typeof useEntries> | undefined
  jobs?: Data<typeof useScreeningJobs> | undefined
  order?: ReturnType<typeof useOnChain>['order']['data']
  chain?: ReturnType<typeof useOnChain>['chain']['data']
  events?: Data<typeof useEvents>['data'] | undefined
  deliveries?: Data<typeof useDeliveries>['deliveries'] | undefined
  messages?: Data<typeof useMessages>['data'] | undefined
}

export const sources = ['people', 'steps', 'journal', 'screening', 'chain', 'told', 'log'] as const
/** Where a line of the story comes from. */
export type Source = (typeof sources)[number]

/** A line of the story; what it shows is its own. */
export type StoryLine = { at: string; key: string } & (
  | { is: 'steps'; title: string; tone: 'good' | 'bad' | 'move' | 'plain'; detail: string | null }
  | { is: 'people'; of: Data<typeof useDecisions>[number] }
  | { is: 'journal'; of: Data<typeof useEntries>[number] }
  | { is: 'screening'; of: Data<typeof useScreeningJobs>[number] }
  | { is: 'chain'; title: string; detail: string | null; address: string | null }
  | {
      is: 'told'
      title: string
      event: Data<typeof useEvents>['data'][number] | null
      delivery: Data<typeof useDeliveries>['deliveries'][number] | null
    }
  | { is: 'log'; of: Data<typeof useMessages>['data'][number] }
)

type Facts = Pick<Transaction, 'id' | 'type' | 'status' | 'createdAt' | 'network' | 'failureReason' | 'rejectionReason'>

/** Everything that is known of a transaction, in the order in which it happened. */
export function timelineOf(of: Facts, parts: StoryParts): StoryLine[] {
  const lines = [
    ...steps(of, parts),
    ...(parts.decisions ?? []).map(
      (each): StoryLine => ({ is: 'people', at: each.at, key: `${each.decision} ${each.at}`, of: each }),
    ),
    ...(parts.entries ?? []).map(
      (each): StoryLine => ({ is: 'journal', at: each.at, key: String(each.number), of: each }),
    ),
    ...(parts.jobs ?? []).map(
      (each): StoryLine => ({ is: 'screening', at: each.createdAt, key: each.jobId, of: each }),
    ),
    ...onChain(of, parts),
    ...told(parts),
    ...(parts.messages ?? []).map((each): StoryLine => ({ is: 'log', at: each.timestamp, key: each.id, of: each })),
  ]
  const place = (line: StoryLine) => sources.indexOf(line.is)
  return lines
    .map((line) => ({ ...line, key: `${line.is} ${line.key}` }))
    .sort((one, other) => one.at.localeCompare(other.at) || place(one) - place(other))
}

const begun: Record<Facts['type'], string> = {
  DEPOSIT: 'Deposit received',
  WITHDRAWAL: 'Withdrawal ordered',
  TRANSFER: 'Transfer ordered',
}

function steps(of: Facts, { phases = [] }: StoryParts): StoryLine[] {
  return phases.flatMap(({ name, status, startedAt, completedAt, detail }): StoryLine[] => {
    const at = completedAt ?? startedAt
    if (at === null || status === 'PENDING' || status === 'SKIPPED') return []
    // What is under way says more of itself above the line.
    const line = { is: 'steps' as const, at, key: name, detail: status === 'IN_PROGRESS' ? null : (detail ?? null) }
    if (name === 'created') return [{ ...line, at: of.createdAt, title: begun[of.type], tone: 'plain' }]
    const [title, tone] = stepWords(name, status, of.status)
    return title === null ? [] : [{ ...line, title, tone }]
  })
}

type Phase = NonNullable<StoryParts['phases']>[number]

/** What happened in a phase; null for one that other lines tell: a review is told by the people who decided. */
function stepWords(
  name: Phase['name'],
  status: Phase['status'],
  ended: Facts['status'],
): [title: string | null, tone: 'good' | 'bad' | 'move'] {
  if (status === 'IN_PROGRESS') return [underWay[name] ?? 'Under way', 'move']
  if (name === 'screening')
    return status === 'FAILED' ? ['Frozen by screening', 'bad'] : ['Passed its screening', 'good']
  if (name === 'review')
    return [status === 'FAILED' ? 'Rejected in review' : 'Approved in review', status === 'FAILED' ? 'bad' : 'good']
  if (name === 'execution') return status === 'FAILED' ? ['Failed', 'bad'] : ['Carried out', 'good']
  return status === 'FAILED' ? ['Not confirmed', 'bad'] : [ended === 'COMPLETED' ? 'Completed' : 'Confirmed', 'good']
}

const underWay: Partial<Record<Phase['name'], string>> = {
  screening: 'Waits for its screening',
  review: 'Waits for a decision',
  execution: 'Is being carried out',
  confirmation: 'Waits for its network',
}

function onChain({ network }: Facts, { order, chain }: StoryParts): StoryLine[] {
  const lines: StoryLine[] = []
  if (order?.signedAt) {
    lines.push({
      is: 'chain',
      at: order.signedAt,
      key: 'signed',
      title: 'Signed by the wallet',
      detail: null,
      address: order.payer,
    })
  }
  if (chain?.timestamp) {
    const block = chain.blockNumber === null ? '' : ` in block ${chain.blockNumber}`
    const simulated = chain.simulated ? ', simulated' : ''
    lines.push({
      is: 'chain',
      at: chain.timestamp,
      key: 'mined',
      title: `On ${network}${block}${simulated}`,
      detail: chain.reason ?? null,
      address: chain.transactionHash,
    })
  }
  return lines
}

function told({ events = [], deliveries = [] }: StoryParts): StoryLine[] {
  return [
    ...events.map(
      (event): StoryLine => ({
        is: 'told',
        at: event.timestamp,
        key: event.id,
        title: 'Its participants were told:',
        event,
        delivery: null,
      }),
    ),
    ...deliveries.map(
      (delivery): StoryLine => ({
        is: 'told',
        at: delivery.createdAt,
        key: delivery.deliveryId,
        title: delivery.status === 'delivered' ? 'Webhook delivered' : 'Webhook not delivered yet',
        event: null,
        delivery,
      }),
    ),
  ]
}
