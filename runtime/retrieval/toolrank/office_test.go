package toolrank

import "strings"

// office is what a developer's gateway holds: a tool a line, as
// server|name|description|parameters, a parameter that must be given marked
// by a star.
const office = `
github|create_issue|Create a new issue in a GitHub repository|*owner *repo *title body assignees labels
github|list_issues|List issues in a GitHub repository with filtering options|*owner *repo state labels sort since
github|add_issue_comment|Add a comment to an existing issue|*owner *repo *issue_number *body
github|create_pull_request|Create a new pull request in a GitHub repository|*owner *repo *title *head *base draft
github|merge_pull_request|Merge a pull request|*owner *repo *pull_number merge_method
github|get_pull_request_files|Get the list of files changed in a pull request|*owner *repo *pull_number
github|search_code|Search for code across GitHub repositories|*q order page
github|search_repositories|Search for GitHub repositories|*query page perPage
github|fork_repository|Fork a GitHub repository to your account or specified organization|*owner *repo organization
github|create_branch|Create a new branch in a GitHub repository|*owner *repo *branch from_branch
github|list_commits|Get list of commits of a branch in a GitHub repository|*owner *repo sha page
filesystem|read_text_file|Read the complete contents of a file from the file system as text. Only works within allowed directories.|*path head tail
filesystem|write_file|Create a new file or completely overwrite an existing file with new content. Use with caution.|*path *content
filesystem|edit_file|Make line-based edits to a text file. Returns a git-style diff showing the changes made.|*path *edits dryRun
filesystem|create_directory|Create a new directory or ensure a directory exists. Can create nested directories in one operation.|*path
filesystem|list_directory|Get a detailed listing of all files and directories in a specified path.|*path
filesystem|directory_tree|Get a recursive tree view of files and directories as a JSON structure.|*path excludePatterns
filesystem|move_file|Move or rename files and directories.|*source *destination
filesystem|search_files|Recursively search for files and directories matching a pattern.|*path *pattern excludePatterns
filesystem|get_file_info|Retrieve detailed metadata about a file or directory: size, creation time, permissions.|*path
memory|create_entities|Create multiple new entities in the knowledge graph|*entities name entityType observations
memory|create_relations|Create multiple new relations between entities in the knowledge graph. Relations should be in active voice|*relations from to relationType
memory|add_observations|Add new observations to existing entities in the knowledge graph|*observations entityName contents
memory|delete_entities|Delete multiple entities and their associated relations from the knowledge graph|*entityNames
memory|read_graph|Read the entire knowledge graph|
memory|search_nodes|Search for nodes in the knowledge graph based on a query|*query
slack|slack_list_channels|List public channels in the workspace with pagination|limit cursor
slack|slack_post_message|Post a new message to a Slack channel|*channel_id *text
slack|slack_reply_to_thread|Reply to a specific message thread in Slack|*channel_id *thread_ts *text
slack|slack_add_reaction|Add a reaction emoji to a message|*channel_id *timestamp *reaction
slack|slack_get_channel_history|Get recent messages from a channel|*channel_id limit
slack|slack_get_users|Get a list of all users in the workspace with their basic profile information|cursor limit
calendar|list_events|List the events of a calendar in a range of time|*calendarId timeMin timeMax
calendar|create_event|Create a calendar event with attendees and a reminder|*summary *start *end attendees location
calendar|update_event|Change an existing calendar event|*eventId summary start end
calendar|delete_event|Delete a calendar event|*eventId
calendar|get_freebusy|Query free and busy slots of calendars|*timeMin *timeMax calendars
browser|browser_navigate|Navigate to a URL|*url
browser|browser_click|Click on an element of a web page|*element *ref
browser|browser_type|Type text into an editable element|*element *text submit
browser|browser_take_screenshot|Take a screenshot of the current page|filename fullPage
browser|browser_console_messages|Returns all console messages of the page|
browser|browser_network_requests|Returns all network requests since loading the page|
postgres|query|Run a read-only SQL query against the database|*sql
postgres|list_tables|List the tables of a schema|schema
postgres|describe_table|Show the columns and types of a table|*table
postgres|explain_query|Show the execution plan of a SQL statement|*sql analyze
sentry|list_projects|List the projects of an organization in Sentry|*organization
sentry|get_issue_details|Get the details of an error in Sentry with its stack trace|*issue_id
sentry|find_errors|Find errors in Sentry by file, user or release|*organization query sort
docker|list_containers|List all Docker containers|all filters
docker|run_container|Run an image in a new Docker container|*image name ports environment
docker|stop_container|Stop a Docker container|*container_id
docker|fetch_container_logs|Fetch the logs of a Docker container|*container_id tail
docker|pull_image|Pull a Docker image from a registry|*repository tag
docker|list_volumes|List Docker volumes|
fetch|fetch|Fetches a URL from the internet and extracts its contents as markdown|*url max_length raw
time|get_current_time|Get the current time in a specific timezone|*timezone
time|convert_time|Convert time between timezones|*source_timezone *time *target_timezone
`

// answered are requests that a tool of the office does: "request => tools".
const answered = `
open a bug report about the broken login page => create_issue
which issues are open in our repo => list_issues
comment on issue 42 that it is fixed => add_issue_comment
make a pull request from my feature branch => create_pull_request
merge PR 17 => merge_pull_request
what files did that pull request touch => get_pull_request_files
find where parseConfig is used on github => search_code
find popular repositories about static site generators => search_repositories
fork the kubernetes repo => fork_repository
create a branch called hotfix => create_branch
show the last commits on main => list_commits
who committed to the release branch lately => list_commits
read the file notes/todo.txt => read_text_file
what does README.md say => read_text_file
save this text to report.md => write_file
replace the word foo by bar in config.yaml => edit_file
make a new folder named backup => create_directory
what is in the src directory => list_directory
show me the folder structure of the project as a tree => directory_tree
rename old.txt to new.txt => move_file
move all the logs into the archive folder => move_file
find all files ending in .go => search_files
how big is data.csv and when was it created => get_file_info
remember that Alice works at Acme => create_entities add_observations create_relations
add an observation about the user to the knowledge graph => add_observations
link two entities in the graph => create_relations
forget the entity called Bob => delete_entities
what do you know about Alice in the graph => search_nodes read_graph
show the whole knowledge graph => read_graph
list the slack channels => slack_list_channels
tell the team in #general that the build is green => slack_post_message
post a message to the dev channel => slack_post_message
answer in the thread => slack_reply_to_thread
react with a thumbs up to that message => slack_add_reaction
what was said in the channel recently => slack_get_channel_history
who are the users of our workspace => slack_get_users
what meetings do I have tomorrow => list_events
what's on my calendar this week => list_events
schedule a meeting with Anna on Friday at 10am => create_event
put a dentist appointment on my calendar => create_event
push the meeting back by an hour => update_event
cancel my meeting on Monday => delete_event
when am I free next Tuesday => get_freebusy
open example.com in the browser => browser_navigate
go to https://example.org/login => browser_navigate
click the submit button => browser_click
type my name into the search field => browser_type
take a screenshot of the page => browser_take_screenshot
are there errors in the browser console => browser_console_messages
what requests does the page make => browser_network_requests
how many users signed up last week according to the database => query
select all rows from orders => query
run a SQL query => query
which tables does the database have => list_tables
what columns has the table customers => describe_table
why is this SQL statement slow => explain_query
which projects do we have in sentry => list_projects
show the stack trace of error PROJ-123 => get_issue_details
are there new crashes in the latest release => find_errors
which containers are running => list_containers
start a redis container => run_container
stop the container web-1 => stop_container
show the logs of the api container => fetch_container_logs
pull the latest nginx image => pull_image
list docker volumes => list_volumes
download the page https://example.com/doc as markdown => fetch
what time is it in Tokyo => get_current_time
convert 3 pm New York time to Berlin time => convert_time
`

// unanswered are requests that no tool of the office does. Those of the second
// half share words with tools that do something else.
const unanswered = `
what is the weather in Paris
translate this sentence into French
play some jazz music
book a flight to Lisbon
order a pizza
generate an image of a cat
buy 10 shares of Apple
turn off the living room lights
what is the capital of Mongolia
calculate the square root of 144
transcribe this podcast
find me a recipe for lasagna
how many calories are in an avocado
convert 100 dollars to euros
send money to my brother
what is the bitcoin price
recommend a good movie
track my parcel
call me a taxi
write a poem about autumn
summarize this video
set the thermostat to 20 degrees
reserve a table at an italian restaurant
diagnose my back pain
find cheap hotels in Rome
solve this sudoku
generate a strong password
scan this QR code
read me my horoscope
compress this video
print a shipping label
who won the football match yesterday
make a logo for my company
find a lawyer near me
check the spelling of this essay
send an email to the team
read my latest emails
upload the file to S3
share the document on Google Drive
create a Jira ticket
deploy the service to kubernetes
scale the kubernetes deployment to 5 replicas
restart the production server
rotate the AWS access keys
post a tweet about our release
message my wife on WhatsApp
send an SMS to Tom
delete the S3 bucket
create a Trello card
add a row to the Google spreadsheet
create a Notion page
convert this Word document to PDF
extract the text of a scanned PDF
zip the backup
encrypt the notes with my GPG key
resize the image to 200 pixels
create an invoice for the customer
refund the last Stripe payment
start a Zoom call
record the screen as video
create a Figma design
list my AWS EC2 instances
show the CPU temperature
add a contact to my address book
run the unit tests
compile the rust program
create a Grafana dashboard
page the engineer on call with PagerDuty
search for papers on arXiv
show the map of Berlin
add eggs to my shopping list
remove the background of a photo
`

// officeDocs are the tools of the office.
func officeDocs() (docs []Doc) {
	for line := range strings.Lines(strings.TrimSpace(office)) {
		f := strings.Split(strings.TrimSpace(line), "|")
		d := Doc{Server: f[0], Name: f[1], Description: f[2]}
		for _, p := range strings.Fields(f[3]) {
			name := strings.TrimPrefix(p, "*")
			d.Params = append(d.Params, Param{Name: name, Required: name != p})
		}
		docs = append(docs, d)
	}
	return docs
}

// officeQueries are the requests to the office; those that nothing does want no tool.
func officeQueries() (out []labelled) {
	for line := range strings.Lines(strings.TrimSpace(answered)) {
		query, tools, _ := strings.Cut(strings.TrimSpace(line), " => ")
		out = append(out, labelled{Query: query, Gold: strings.Fields(tools)})
	}
	for line := range strings.Lines(strings.TrimSpace(unanswered)) {
		out = append(out, labelled{Query: strings.TrimSpace(line)})
	}
	return out
}
