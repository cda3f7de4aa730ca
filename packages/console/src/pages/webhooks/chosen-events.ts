/** Sent only by the button that tests an endpoint. */
const test = 'webhook.test'

/** The types that can be chosen, by what they are of: `payment` of `payment.created`. */
export const groupsOf = <Type extends { type: string }>(types: readonly Type[]): [group: string, types: Type[]][] => [
  ...Map.groupBy(
    types.filter(({ type }) => type !== test),
    ({ type }) => type.split('.')[0] ?? '',
  ),
]

/** The names of the form's fields. */
export const eventFields = { which: 'which-events', type: 'event-type' } as const

/** The chosen events, as the service takes them: none for all. */
export const eventTypesIn = (form: FormData): string[] =>
  form.get(eventFields.which) === 'some' ? form.getAll(eventFields.type).map(String) : []

interface AttemptRequest {
  url: string
  headers: Readonly<Record<string, string>>
}

/** An attempt's request as it is written on the wire, without what the connection adds. */
export function requestText({ url, headers }: AttemptRequest, body: string): string {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`POST ${pathname}${search} HTTP/1.1`, ...lines, '', body].join('\n')
}
