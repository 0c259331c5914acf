import { exampleJoin } from "./lent.ts";

/** What an agent must know before it reads or writes objects: the tools, then the format. */
export const guide = `# Working with typed objects

Files named \`*.qmd.md\` are markdown whose headings are objects. Every tool takes \`path\`: any
folder or file of the workspace. Nothing here writes; what you edit in files is seen by the next
call.

## Which tool

| you want | tool |
|---|---|
| to see what there is | qmdc_describe_metamodel, then qmdc_get_tree |
| an object by its name | qmdc_search_objects, qmdc_locate_object, qmdc_describe_object |
| one field | qmdc_describe_object with ref \`object.field\` |
| the objects of a file | qmdc_outline_file |
| who speaks of an object | qmdc_find_references |
| what it leads to | qmdc_traverse_graph, qmdc_find_path |
| counts, joins, conditions | qmdc_query_sql |
| what is wrong | qmdc_validate_references |
| a new id for an object | qmdc_rename_object, which plans the edits |
| everything | qmdc_dump_index |

Lists come in pages: where \`truncated\` is true, pass \`next_cursor\` as \`cursor\`.

## The format

\`\`\`\`markdown
# Harbour [[harbour: __Namespace]]

- description: What stands at the water

## Lighthouse [[lighthouse: Building]]

- height: 31.5
- lit: true
- keepers: [[#ada]], [[#Person:bo]]
- colours: [red, white]

### History [[history: text]]

Any markdown. A reference such as [[#ada]] in it counts.

### Lamps [[lamps: [Lamp]]]

#### Main lamp [[main]]

- watts: 400
\`\`\`\`

- A heading with \`[[id]]\` or \`[[id: Kind]]\` is an object; the rest of the heading is its label.
- \`- key: value\` below it are its fields: null, true, false, numbers, "quoted" or plain text,
  \`[lists]\`, references.
- A heading below an object with \`[[field: text]]\`, \`array\`, \`yaml\`, \`json\`, \`map\` or \`[Kind]\`
  is a field whose content follows; with \`[[name]]\` or \`[[name: Kind]]\` it is an object of its own,
  called \`parent.name\`.
- Other text stays where it is and belongs to no field.
- A folder whose \`readme.qmd.md\` holds \`[[id: __Workspace]]\` is a workspace; one with
  \`[[id: __Namespace]]\` is a namespace, and what lies below belongs to it.

## References

\`[[#id]]\`, \`[[#Kind:id]]\`, \`[[#namespace:id]]\`, \`[[#namespace:Kind:id]]\`,
\`[[#workspace:namespace:Kind:id]]\`, \`[[#object.child.field]]\`. A short name is looked for in the
namespace of the one who says it first, then in the whole workspace; if several objects answer to
it, it is ambiguous. The last part of a dotted id is enough within its namespace. Text in backticks
and in fences marked \`example\` is not read.

## SQL

\`objects(__workspace, __namespace, __id, __global_id, __kind, __label, __local_id, __file, __parent,
__line, __level, data)\`, where \`data\` is JSON of the fields, and \`edges(source_id, source_field,
target_id, edge_type, target_field, __workspace)\`, whose ids are global ids.

\`\`\`sql
${exampleJoin}
\`\`\`

One statement that reads; it ends after a few seconds. \`#name\` runs the \`sql\` field of the object
\`name\` of kind \`Query\`.
`;
