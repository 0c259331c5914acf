/** The front matter as a small table; nothing if it is empty. */
export function FrontMatter({ rows }: { rows: readonly { key: string; value: string }[] }) {
  if (rows.length === 0) return null;
  return (
    <table class="matter">
      <caption class="unseen">Front matter</caption>
      <tbody>
        {rows.map(({ key, value }, index) => (
          <tr key={`${index} ${key}`}>
            <th scope="row">{key}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
