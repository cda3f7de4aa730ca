/** `PENDING_REVIEW`, `credit-line` and `webhookDelivery` as words: `Pending review`. */
export function toWords(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `01a1f2eb…e456`: the beginning and the end of a long text. */
export const shorten = (id: string): string => (id.length <= 13 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`)

/** `1 row`, `2 rows`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** A sentence with its ids shortened. */
export const shortenIds = (text: string): string => text.replace(new RegExp(uuid, 'g'), (id) => shorten(id))

export const isUuid = (text: string): boolean => new RegExp(`^${uuid}$`).test(text)

/** A sentence without what differs from one to the next: ids, hashes and numbers. */
export const withoutIds = (text: string): string => text.replace(new RegExp(`${uuid}|0x[0-9a-f]+|\\d+`, 'gi'), '#')
