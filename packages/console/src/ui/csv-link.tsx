import { queryText } from '../api/http'
import { LinkButton } from './button'

interface Props {
  /** From serviceUrl(). */
  href: string
  query?: Readonly<Record<string, string | number | undefined>>
}

/** Downloads a list with its filters as CSV: all rows, not only the shown ones. */
export const CsvLink = ({ href, query }: Props) => (
  <LinkButton icon="download" href={`${href}${queryText(query)}`} download>
    CSV
  </LinkButton>
)
