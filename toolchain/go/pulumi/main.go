// Command pulumi-engine runs commands of the Pulumi CLI one after the other in one process, so that its start, its connection
// to the state and the keys derived from passphrases are paid for once. It reads one request a line from standard input and
// ends with it. What a command prints goes where the CLI prints it, followed by the text that the request names as its end;
// on standard output the exit code follows that.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"sync"

	"github.com/pulumi/pulumi/pkg/v3/backend"
	"github.com/pulumi/pulumi/pkg/v3/backend/diy"
	cmdBackend "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi/backend"
	"github.com/pulumi/pulumi/pkg/v3/cmd/pulumi/cmd"
	"github.com/pulumi/pulumi/pkg/v3/cmd/pulumi/operations"
	pkgWorkspace "github.com/pulumi/pulumi/pkg/v3/workspace"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag/colors"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/cmdutil"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/logging"
	"github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
	"github.com/spf13/cobra"
)

type request struct {
	Args   []string          `json:"args"`
	Folder string            `json:"folder"`
	Env    map[string]string `json:"env"`
	End    string            `json:"end"`
}

// largestRequest is far more than the arguments of a command take.
const largestRequest = 1 << 24

func main() {
	logging.InitLogging(false, 0, false)
	// Drivers of backends would write there.
	log.SetOutput(io.Discard)
	cmdBackend.DefaultLoginManager = &openBackends{LoginManager: cmdBackend.DefaultLoginManager, byURL: map[string]diy.Backend{}}
	requests := bufio.NewScanner(os.Stdin)
	requests.Buffer(nil, largestRequest)
	for requests.Scan() {
		var next request
		if err := json.Unmarshal(requests.Bytes(), &next); err != nil {
			fmt.Fprintf(os.Stderr, "error: the request is no JSON: %v\n", err)
			os.Exit(1)
		}
		code := run(next)
		fmt.Fprint(os.Stderr, next.End)
		fmt.Printf("%s%d\n", next.End, code)
	}
}

// run does what the CLI's own main does for a command: the same flags, messages and exit codes.
func run(r request) int {
	ctx := context.Background()
	err := prepare(r)
	if err == nil {
		err = command(r.Args).ExecuteContext(ctx)
	}
	if err == nil {
		return 0
	}
	cmd.DisplayErrorMessage(ctx, err, os.Stderr)
	return cmd.ExitCodeFor(err)
}

func prepare(r request) error {
	for name, value := range r.Env {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return os.Chdir(r.Folder)
}

// command is made for each run: it keeps the values of flags.
func command(args []string) *cobra.Command {
	var color string
	root := &cobra.Command{
		Use:           "pulumi",
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			return cmdutil.SetGlobalColorization(color)
		},
	}
	root.PersistentFlags().BoolVar(&cmdutil.DisableInteractive, "non-interactive", false, "")
	root.PersistentFlags().StringVar(&color, "color", "auto", "")
	root.AddCommand(operations.NewUpCmd(), operations.NewPreviewCmd(), operations.NewDestroyCmd(), operations.NewRefreshCmd())
	root.SetArgs(args)
	return root
}

// openBackends keeps backends that need no login open from one command to the next. The CLI never closes any: its end does.
type openBackends struct {
	cmdBackend.LoginManager
	mutex sync.Mutex
	byURL map[string]diy.Backend
}

func (o *openBackends) Current(
	ctx context.Context, ws pkgWorkspace.Context, sink diag.Sink, url string, project *workspace.Project, setCurrent bool,
) (backend.Backend, error) {
	if diy.IsDIYBackendURL(url) {
		return o.open(ctx, sink, url, project)
	}
	return o.LoginManager.Current(ctx, ws, sink, url, project, setCurrent)
}

func (o *openBackends) Login(
	ctx context.Context, ws pkgWorkspace.Context, sink diag.Sink, url string, project *workspace.Project, setCurrent bool,
	insecure bool, color colors.Colorization, options ...cmdBackend.LoginOption,
) (backend.Backend, error) {
	if diy.IsDIYBackendURL(url) && !setCurrent {
		return o.open(ctx, sink, url, project)
	}
	return o.LoginManager.Login(ctx, ws, sink, url, project, setCurrent, insecure, color, options...)
}

func (o *openBackends) open(
	ctx context.Context, sink diag.Sink, url string, project *workspace.Project,
) (backend.Backend, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if kept, ok := o.byURL[url]; ok {
		kept.SetCurrentProject(project)
		return kept, nil
	}
	opened, err := diy.New(ctx, sink, url, project)
	if err != nil {
		return nil, err
	}
	o.byURL[url] = opened
	return opened, nil
}
