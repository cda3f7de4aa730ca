import { queryText } from '../api/http'
import { LinkButton } from './button'

/** Downloads a list with its filters as CSV: all rows, not only the shown ones. `href` comes from serviceUrl(). */
export function CsvLink({
  href,
  query,
  label = 'CSV',
}: {
  href: string
  query?: Readonly<Record<string, string | number | undefined>>
  label?: string
}) {
  return (
    <LinkButton icon="download" href={`${href}${queryText(query)}`} download>
      {label}
    </LinkButton>
  )
}
